import { buildWebIfNeeded } from '../../src/cli/build-web.ts'
import { chromiumPath } from './chromium.ts'

/** The journeys look at the web app as it is now, in a Chromium that all of them share. */
export default async function setup(): Promise<void> {
  await buildWebIfNeeded(console.error)
  await chromiumPath()
}
