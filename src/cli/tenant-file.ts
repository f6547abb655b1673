import type { Header } from '../transfer/format.ts'
import { readHeader } from '../transfer/read-file.ts'
import { writeTransferFile } from '../transfer/write-file.ts'
import { CommandFailure, type DataCommand, type DataContext, requiredOption } from './command.ts'
import { countText } from './counts.ts'
import { loadFile } from './load-file.ts'
import { tenantIdOf } from './tenant-option.ts'

export const tenantExport: DataCommand = {
  kind: 'data',
  name: 'tenant export',
  opensAsItIs: true,
  file: { option: 'out', mode: 'written' },
  summary: 'Write a whole school to a file, in the open format of docs/export-format.md.',
  options: {
    tenant: { type: 'string', value: 'ID', help: "The school's id", required: true },
    out: { type: 'string', value: 'FILE', help: 'The file, such as school.ndjson.gz', required: true },
    json: { type: 'boolean', help: 'Print JSON' },
  },
  check: (values) => void tenantIdOf(values),
  run: async ({ db, values, terminal, file }) => {
    const tenantId = tenantIdOf(values)
    const header = await writeTransferFile(db, {
      tenantId,
      path: requireFile(file),
      now: new Date(),
      onProgress: terminal.progress,
    })
    terminal.out(
      values.json ? summaryOf(header) : `Wrote ${wordsFor(header)} into ${requiredOption(values, 'out')}.`,
    )
  },
}

export const tenantImport: DataCommand = {
  kind: 'data',
  name: 'tenant import',
  makesDatabase: true,
  file: { option: 'in', mode: 'read' },
  summary: 'Create a school from a file written by tenant export: all or nothing.',
  options: {
    in: { type: 'string', value: 'FILE', help: 'The file', required: true },
    json: { type: 'boolean', help: 'Print JSON' },
  },
  run: async ({ db, values, terminal, file, dataDir }) => {
    const path = requireFile(file)
    const header = await readHeader(path)
    if (!header.school)
      throw new CommandFailure(
        'The file is a backup of a whole installation. Restore it with the command restore.',
      )
    await loadFile(db, header, { path, terminal, dataDir })
    terminal.out(values.json ? summaryOf(header) : `Created ${wordsFor(header)}.`)
  },
}

export function requireFile(file: DataContext['file']): string {
  if (file === undefined) throw new Error('the command has no file')
  return file
}

function summaryOf({ school, counts }: Header): string {
  return JSON.stringify({ id: school?.id, name: school?.name, counts })
}

function wordsFor({ school, counts }: Header): string {
  const { students = 0, appointments = 0 } = counts
  return `the school ${school?.name} (${school?.id}) with ${countText(students, 'student')} and ${countText(appointments, 'lesson')}`
}
