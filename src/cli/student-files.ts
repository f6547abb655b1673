import { readFile } from 'node:fs/promises'
import { commandActor } from '../booking/command-actor.ts'
import { TimeSlicer } from '../booking/time-slicer.ts'
import { DOUBTS, ENCODINGS, type ImportDoubt, type LineFault } from '../contract/file-import.ts'
import { Problem } from '../contract/problem.ts'
import type { DuplicateLine, StudentImportPreview } from '../contract/student-import.ts'
import { MAX_FILE_BYTES } from '../domain/ranges.ts'
import type { FileReading } from '../http/pages/file-reading.ts'
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
      help: 'CSV; encoding, delimiter, headings and columns are recognised',
      required: true,
    },
    encoding: { type: 'string', value: 'NAME', help: `The encoding: ${ENCODINGS.join(', ')} [recognised]` },
    'heading-line': {
      type: 'string',
      value: 'NUMBER',
      help: 'The line with the headings; 0 if the file has none [recognised]',
    },
    columns: {
      type: 'string',
      value: 'FIELDS',
      help: 'The field of each column, such as last_name,first_name,-,phone [recognised]',
    },
    assume: {
      type: 'string',
      value: 'WHAT',
      help: 'lost_zero: add the 0 or + that numbers have lost; one_name: people may have one name; or both by comma',
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
    readingIn(values)
  },
  run: async ({ db, values, terminal, file = '' }) => {
    const actor = commandActor('student import', await requireTenantOption(db, values), new Date())
    const bytes = await readFile(file)
    if (bytes.length > MAX_FILE_BYTES)
      throw new CommandFailure(`The file has more than ${MAX_FILE_BYTES} bytes.`)
    const skipsFaulty = skipsFaultyIn(values)
    const reading = readingIn(values)
    const context = { db, actor, slicer: new TimeSlicer() }
    const preview = await studentFile.preview(bytes, reading, context).catch(failure)
    const { duplicates, faulty_lines } = preview
    if (!values.json) for (const line of linesFor(preview)) terminal.out(line)
    else if (values['dry-run'] || (faulty_lines > 0 && !skipsFaulty)) terminal.out(JSON.stringify(preview))
    if (preview.missing_fields.length > 0)
      throw new CommandFailure(
        `Nothing was imported. There is no column ${preview.missing_fields.join(' and ')}: name the fields with --columns, one of ${preview.fields.join(', ')} or - for each of the ${preview.columns.length} columns.`,
      )
    if (faulty_lines > 0 && !skipsFaulty)
      throw new CommandFailure(`Nothing was imported. Lines with faults: ${faulty_lines}.`)
    if (values['dry-run']) return
    const import_lines = isForced(values) ? duplicates.map(({ line }) => line) : []
    const done = await studentFile.execute(bytes, { ...reading, import_lines, skipsFaulty }, context)
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

/** Throws `UsageError` for an unknown encoding, line or assumption; the file decides about the columns. */
function readingIn(values: Values): FileReading {
  const { encoding, columns, assume, 'heading-line': line } = values
  const known = ENCODINGS.find((one) => one === encoding)
  if (encoding !== undefined && !known)
    throw new UsageError(`--encoding must be one of ${ENCODINGS.join(', ')}`)
  if (line !== undefined && !/^\d{1,7}$/.test(String(line)))
    throw new UsageError('--heading-line must be the number of a line, or 0')
  const named = assume === undefined ? [] : String(assume).split(',')
  const assumed = DOUBTS.filter((code) => named.includes(code))
  if (assumed.length < named.length) throw new UsageError(`--assume must be ${DOUBTS.join(', ')} or both`)
  return {
    assume: assumed,
    ...(known && { encoding: known }),
    ...(line !== undefined && { heading_line: Number(line) }),
    ...(columns !== undefined && {
      columns: String(columns)
        .split(',')
        .map((name) => (name.trim() === '-' ? null : name.trim())),
    }),
  }
}

function linesFor(preview: StudentImportPreview): readonly string[] {
  const { columns, students, faults, duplicates, doubts } = preview
  const unknown = columns.filter(({ column }) => column === null).map(({ heading }) => heading)
  return [
    `${students} students.${unknown.length > 0 ? ` Not imported: ${unknown.join(', ')}.` : ''}`,
    ...faults.map(faultMessage),
    ...doubts.map(doubtMessage),
    ...duplicates.map(duplicateText),
  ]
}

function faultMessage({ line, value, detail }: LineFault): string {
  return `Line ${line}: ${detail}${value === '' ? '' : ` (${JSON.stringify(value)})`}`
}

function doubtMessage({ code, column, lines, line, value, proposal }: ImportDoubt): string {
  const count = lines > 1 ? ` (and ${lines - 1} more)` : ''
  return `Line ${line}${count}: ${column} ${JSON.stringify(value)} is probably ${JSON.stringify(proposal)}: --assume ${code} imports that.`
}

function duplicateText({ line, first_name, last_name, likeness, same_as }: DuplicateLine): string {
  const who = `${same_as.first_name} ${same_as.last_name}`
  const where = same_as.line === null ? `the student ${same_as.student_id}` : `line ${same_as.line}`
  return `Line ${line}: ${first_name} ${last_name} is probably ${who}, ${where} (same ${likeness}).`
}
