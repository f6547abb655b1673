import { readFile } from 'node:fs/promises'
import { commandActor } from '../booking/command-actor.ts'
import { Pieces } from '../booking/pieces.ts'
import type { LineFault } from '../contract/file-import.ts'
import { Problem } from '../contract/problem.ts'
import type { DuplicateLine, StudentImportPreview } from '../contract/student-import.ts'
import { MAX_FILE_BYTES } from '../domain/ranges.ts'
import { studentFile } from '../http/pages/student-file.ts'
import { studentsCsv } from '../http/responses/csv-files.ts'
import { CommandFailure, type DataCommand, UsageError, type Values } from './command.ts'
import { requireTenantOption, tenantIdOf } from './tenant-option.ts'

const tenant = { type: 'string', value: 'ID', help: "The school's id", required: true } as const

export const studentImport: DataCommand = {
  kind: 'data',
  name: 'student import',
  summary: 'Enrol the students of a CSV file at once; probable duplicates are skipped.',
  options: {
    tenant,
    in: {
      type: 'string',
      value: 'FILE',
      help: 'UTF-8, UTF-16 or Windows-1252 (in Poland 1250); by semicolon, comma or tab',
      required: true,
    },
    'dry-run': {
      type: 'boolean',
      help: 'Only report what the file contains, what is wrong, and who is already there',
    },
    duplicates: {
      type: 'string',
      value: 'WHAT',
      help: 'skip, or import: enrol probable duplicates, too [skip]',
    },
    faulty: {
      type: 'string',
      value: 'WHAT',
      help: 'refuse, or skip: import the other lines of a file with faults [refuse]',
    },
    json: { type: 'boolean', help: 'Print JSON' },
  },
  file: { option: 'in', mode: 'read' },
  check: (values) => {
    tenantIdOf(values)
    isForced(values)
    skipsFaultyIn(values)
  },
  run: async ({ db, values, terminal, file = '' }) => {
    const actor = commandActor('student import', await requireTenantOption(db, values), new Date())
    const bytes = await readFile(file)
    if (bytes.length > MAX_FILE_BYTES)
      throw new CommandFailure(`The file has more than ${MAX_FILE_BYTES} bytes.`)
    const skipsFaulty = skipsFaultyIn(values)
    const context = { db, actor, pieces: new Pieces() }
    const preview = await studentFile.preview(bytes, context).catch(failure)
    const { duplicates, faulty_lines } = preview
    if (!values.json) for (const line of linesFor(preview)) terminal.out(line)
    else if (values['dry-run'] || (faulty_lines > 0 && !skipsFaulty)) terminal.out(JSON.stringify(preview))
    if (faulty_lines > 0 && !skipsFaulty)
      throw new CommandFailure(`Nothing was imported. Lines with faults: ${faulty_lines}.`)
    if (values['dry-run']) return
    const import_lines = isForced(values) ? duplicates.map(({ line }) => line) : []
    const done = await studentFile.execute(bytes, { import_lines, skipsFaulty }, context)
    const skipped = done.skipped_lines.length + (done.faulty_lines?.length ?? 0)
    terminal.out(values.json ? JSON.stringify(done) : `Imported ${done.imported}, skipped ${skipped}.`)
  },
}

export const studentExport: DataCommand = {
  kind: 'data',
  name: 'student export',
  summary: 'Print the students of a school as CSV, which can be imported again.',
  options: { tenant },
  check: (values) => void tenantIdOf(values),
  run: async ({ db, values, terminal }) => {
    const school = await requireTenantOption(db, values)
    for await (const lines of studentsCsv({ db, tenant: school, read: (part) => part() }))
      terminal.out(lines.replace(/\r\n$/, '\r'))
  },
}

/** Throws a file's fault as a failure, not as wrong usage. */
function failure(error: unknown): never {
  if (!(error instanceof Problem) || !error.errors) throw error
  throw new CommandFailure(error.errors.map(({ detail }) => detail).join(' '))
}

function isForced({ duplicates = 'skip' }: Values): boolean {
  if (duplicates !== 'skip' && duplicates !== 'import')
    throw new UsageError('--duplicates must be skip or import')
  return duplicates === 'import'
}

function skipsFaultyIn({ faulty = 'refuse' }: Values): boolean {
  if (faulty !== 'refuse' && faulty !== 'skip') throw new UsageError('--faulty must be refuse or skip')
  return faulty === 'skip'
}

function linesFor({ columns, students, faults, duplicates }: StudentImportPreview): readonly string[] {
  const unknown = columns.filter(({ column }) => column === null).map(({ heading }) => heading)
  return [
    `${students} students.${unknown.length > 0 ? ` Not imported: ${unknown.join(', ')}.` : ''}`,
    ...faults.map(faultMessage),
    ...duplicates.map(duplicateText),
  ]
}

function faultMessage({ line, value, detail }: LineFault): string {
  return `Line ${line}: ${detail}${value === '' ? '' : ` (${JSON.stringify(value)})`}`
}

function duplicateText({ line, first_name, last_name, likeness, same_as }: DuplicateLine): string {
  const who = `${same_as.first_name} ${same_as.last_name}`
  const where = same_as.line === null ? `the student ${same_as.student_id}` : `line ${same_as.line}`
  return `Line ${line}: ${first_name} ${last_name} is probably ${who}, ${where} (same ${likeness}).`
}
