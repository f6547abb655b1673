import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { WEB_ROOT } from '../http/static-web.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Where the web app's sources lie; the rules and the contract are built into it. */
const SOURCES = ['src/web', 'src/domain', 'src/contract']

/** Builds the web app unless it exists and is newer than its sources. `report` is told what prevents it. */
export function buildWebIfNeeded(report: (line: string) => void): void {
  if (isUpToDate()) return
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js')
  if (!existsSync(vite)) {
    report('The web app is not built, and its build tools are not installed: run npm ci without --omit=dev.')
    return
  }
  report('Building the web app …')
  const { status, stderr } = spawnSync(process.execPath, [vite, 'build', '--logLevel', 'error'], {
    cwd: ROOT,
    env: { ...process.env, NODE_ENV: 'production' },
    encoding: 'utf8',
  })
  if (status !== 0) report(`The web app cannot be built; the API works without it.\n${stderr}`)
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
