import type { ValidateFunction } from 'ajv'
import type { Described } from '../../booking/import-students.ts'
import { findDuplicates } from '../../booking/import-students.ts'
import type { Pieces } from '../../booking/pieces.ts'
import type { Actor } from '../../contract/actor.ts'
import { type Fault, invalidRequest, type Problem } from '../../contract/problem.ts'
import { strictAjv } from '../../contract/strict-ajv.ts'
import { type NewStudent, NewStudentSchema } from '../../contract/student.ts'
import type { LineFault, StudentImportPreview } from '../../contract/student-import.ts'
import { studentColumnOf } from '../../csv/student-columns.ts'
import { type Columns, columnsOf, type StudentLine, studentLines } from '../../csv/student-lines.ts'
import { type Line, NoTable, readTable, type Table } from '../../csv/table.ts'
import { readNames } from '../../db/schema/names.ts'
import type { Database } from '../../db/schema/tables.ts'
import { MOST_IMPORTED_STUDENTS } from '../../domain/ranges.ts'
import { NAMED_COLUMNS } from '../../domain/student-fields.ts'
import { localToday } from '../../domain/time-zone.ts'
import { faultsOf } from '../requests/validation.ts'

/** The most faults and students in a preview. */
const MOST_LINE_FAULTS = 1000
const SAMPLES = 3
const LONGEST_VALUE = 100

type StudentFile = {
  readonly table: Table
  readonly columns: Columns
  /** The students without a fault. */
  readonly students: readonly Described[]
  readonly faults: readonly LineFault[]
}

/** Previews an import. Throws `invalid_request` if the file has no students at all. */
export async function previewStudents(
  db: Database,
  actor: Actor,
  bytes: Uint8Array,
  pieces: Pieces,
): Promise<StudentImportPreview> {
  const { table, columns, students, faults } = await readStudents(db, actor, bytes, pieces)
  const { encoding, delimiter, headings, lines } = table
  return {
    encoding,
    delimiter,
    columns: headings.map((heading, at) => ({ heading: shown(heading), column: columns[at] ?? null })),
    students: lines.length,
    sample: students.slice(0, SAMPLES).map(({ student }) => student),
    faulty_lines: new Set(faults.map(({ line }) => line)).size,
    faults: faults.slice(0, MOST_LINE_FAULTS),
    duplicates: await findDuplicates(db, actor.tenant, students, pieces),
  }
}

type Importable = {
  readonly students: readonly Described[]
  readonly faulty_lines: readonly number[] | undefined
}

/** Reads the students of a file. Throws `invalid_request` with its faults unless faulty lines are skipped. */
export async function requireStudents(
  db: Database,
  actor: Actor,
  bytes: Uint8Array,
  { skipsFaulty = false, pieces }: { readonly skipsFaulty?: boolean; readonly pieces: Pieces },
): Promise<Importable> {
  const { students, faults } = await readStudents(db, actor, bytes, pieces)
  if (skipsFaulty) return { students, faulty_lines: [...new Set(faults.map(({ line }) => line))] }
  if (faults.length === 0) return { students, faulty_lines: undefined }
  throw invalidRequest(
    faults.map(({ line, column, code, detail }) => ({
      pointer: `/file/${line}${column === null ? '' : `/${column}`}`,
      code,
      detail: `Line ${line}: ${detail}`,
    })),
  )
}

async function readStudents(
  db: Database,
  { tenant, now }: Actor,
  bytes: Uint8Array,
  pieces: Pieces,
): Promise<StudentFile> {
  const table = await requireTable(bytes, pieces)
  const columns = columnsOf(table.headings)
  const missing = (['first_name', 'last_name'] as const).filter((name) => !columns.includes(name))
  if (missing.length > 0) throw fileFault('column_missing', `There is no column ${missing.join(' and ')}.`)
  const students: Described[] = []
  const faults: LineFault[] = []
  let at = 0
  const today = localToday(now, tenant.timezone)
  for (const one of studentLines(table, await readNames(db, tenant.id), today)) {
    const wrong = [...one.faults, ...faultsBeside(one)]
    for (const fault of wrong) faults.push(lineFault(fault, table.lines[at], columns))
    if (wrong.length === 0) students.push({ line: one.line, student: one.student as NewStudent })
    at += 1
    await pieces.rest()
  }
  return { table, columns, students, faults }
}

let compiled: ValidateFunction | undefined

/** Compiled on first use: every command loads this module. */
function studentValidator(): ValidateFunction {
  compiled ??= strictAjv().compile(NewStudentSchema)
  return compiled
}

/** Returns the API's faults, except for fields with a fault of the line. Trims texts. */
function faultsBeside({ student, faults }: StudentLine): readonly Fault[] {
  const validate = studentValidator()
  const known = new Set(faults.map(({ pointer }) => pointer))
  return validate(student) ? [] : faultsOf(validate).filter(({ pointer }) => !known.has(pointer))
}

async function requireTable(bytes: Uint8Array, { rest }: Pieces): Promise<Table> {
  const known = (headings: readonly string[]) =>
    headings.filter((heading) => studentColumnOf(heading) !== undefined).length
  try {
    return await readTable(bytes, { known, mostLines: MOST_IMPORTED_STUDENTS, rest })
  } catch (error) {
    if (!(error instanceof NoTable)) throw error
    const { code, line } = error
    throw fileFault(code, DETAILS[code], line)
  }
}

const DETAILS: Readonly<Record<NoTable['code'], string>> = {
  empty: 'The file has no line.',
  workbook: 'The file is a workbook of a spreadsheet: save it as CSV.',
  not_text: 'The file is no text: save it as CSV.',
  malformed: 'A quotation mark is not where it can be, or is never closed.',
  too_many_lines: `The file has more than ${MOST_IMPORTED_STUDENTS} lines: import it in parts.`,
}

function fileFault(code: string, detail: string, line?: number): Problem {
  if (line === undefined) return invalidRequest([{ pointer: '/file', code, detail }])
  return invalidRequest([{ pointer: `/file/${line}`, code, detail: `Line ${line}: ${detail}` }])
}

function lineFault({ pointer, code, detail }: Fault, line: Line | undefined, columns: Columns): LineFault {
  const column = FILE_COLUMNS[pointer.slice(1)] ?? (pointer.slice(1) || null)
  const at = columns.findIndex((one, index) => one === column && (line?.cells[index] ?? '') !== '')
  return { line: line?.number ?? 0, column, value: shown(line?.cells[at] ?? ''), code, detail }
}

const FILE_COLUMNS: Readonly<Record<string, string>> = NAMED_COLUMNS

function shown(text: string): string {
  return text.slice(0, LONGEST_VALUE).toWellFormed()
}
