import { buildWebIfNeeded } from '../../src/cli/build-web.ts'
import { chromiumPath } from './chromium.ts'

/** Builds the current web app and unpacks Chromium, which all journeys share. */
export default async function setup(): Promise<void> {
  await buildWebIfNeeded(console.error)
  await chromiumPath()
}
