import { spawn } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { WEB_ROOT } from '../http/pages/static-web.ts'

const ROOT = join(import.meta.dirname, '../..')

/** The web app's sources, including the rules and the contract that are built into it. */
const SOURCES = ['src/web', 'src/domain', 'src/contract']

/** Builds the web app in a child process if it is missing or older than its sources. `signal` ends that process. */
export async function buildWebIfNeeded(report: (line: string) => void, signal?: AbortSignal): Promise<void> {
  if (isUpToDate()) return
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js')
  if (!existsSync(vite)) {
    report('The web app is not built, and its build tools are not installed: run npm ci without --omit=dev.')
    return
  }
  report('Building the web app …')
  const build = spawn(process.execPath, [vite, 'build', '--logLevel', 'error'], {
    cwd: ROOT,
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(signal && { signal }),
  })
  const ended = new Promise<number | null>((resolve) => {
    build.once('error', () => resolve(null))
    build.once('close', resolve)
  })
  const [complaints, exitCode] = await Promise.all([text(build.stderr), ended])
  if (exitCode !== 0 && !signal?.aborted)
    report(`The web app cannot be built; the API works without it.\n${complaints}`)
}

function isUpToDate(): boolean {
  const page = join(WEB_ROOT, 'index.html')
  if (!existsSync(page)) return false
  const builtAt = statSync(page).mtimeMs
  return SOURCES.flatMap(filesIn).every((file) => statSync(file).mtimeMs <= builtAt)
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
    join(ROOT, folder, name),
  )
}
