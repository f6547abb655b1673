import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll } from 'vitest'
import { ROOT } from '../support/process.ts'

export const run = promisify(execFile)

const SOURCE = join(ROOT, 'clients/typescript')

/** Builds and packs the client, and returns an empty folder in which the package is installed, with the example scripts. */
export function useInstalledClient(): () => string {
  let folder = ''
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'client-'))
    await run(process.execPath, [join(SOURCE, 'build.ts')])
    const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: SOURCE })
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    await run('npm', ['install', '--silent', '--offline', join(folder, stdout.trim())], { cwd: folder })
    cpSync(join(SOURCE, 'examples'), folder, { recursive: true })
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return () => folder
}
