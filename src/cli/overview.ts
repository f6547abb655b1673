import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from './command.ts'
import { UNIT_SETTINGS } from './settings.ts'

export function overview(commands: readonly Command[]): string {
  const rows = commands.map(({ name, summary }) => `  ${name.padEnd(26)} ${summary}`)
  return `Fahrplan: scheduling for driving schools.

Usage: npm run --silent cli -- <command> [options]

${rows.join('\n')}

"<command> --help" lists a command's options; --version prints the version.

Settings are environment variables (docs/operations.md), or lines of the file that --env-file names. If neither
DATABASE_URL nor DATA_DIR is set, ${UNIT_SETTINGS.file} is read where it exists; otherwise the database is in ./data. serve, demo
and openapi do not read ${UNIT_SETTINGS.file} by themselves.`
}

export function versionLine(): string {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'))
  return `fahrplan ${version} (Node ${process.version})`
}
