import { existsSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

/** The beginning of a command line: npm's script in a checkout, and the program of a release where npm has not started it. */
export function startedAs(env: NodeJS.ProcessEnv = process.env, root = ROOT): string {
  // Only a checkout can build the app.
  const isCheckout = existsSync(join(root, 'vite.config.ts'))
  return isCheckout || env.npm_lifecycle_event !== undefined ? 'npm run --silent cli --' : 'fahrplan'
}
