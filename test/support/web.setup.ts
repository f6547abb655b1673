import { buildWebIfNeeded } from '../../src/cli/build-web.ts'

/** The journeys look at the web app as it is now. */
export default async function setup(): Promise<void> {
  await buildWebIfNeeded(console.error)
}
