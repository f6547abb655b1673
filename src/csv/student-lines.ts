import type { Fault } from '../contract/problem.ts'
import { isLocalDate, type LocalDate } from '../domain/local-time.ts'
import { shortest, wordsIn } from '../domain/spelling.ts'
import type { StudentColumn } from '../domain/student-fields.ts'
import { birthFaultFor, STUDENT_AGE } from '../domain/typed-date.ts'
import { birthdayOfCell, flagOfCell, isRounded, textOfCell } from './cells.ts'
import { studentColumnOf } from './student-columns.ts'
import type { Line, Table } from './table.ts'

export type Named = { readonly id: string; readonly names: readonly string[] }

export type Catalogue = { readonly license_classes: readonly Named[]; readonly instructors: readonly Named[] }

export type StudentLine = {
  readonly line: number
  readonly student: Readonly<Record<string, string | boolean>>
  readonly faults: readonly Fault[]
}

/** The column of each cell; undefined if its heading is unknown, empty or repeated. */
export type Columns = readonly (StudentColumn | undefined)[]

/** A second column of a kind is a fallback, such as a mobile number. */
export function columnsOf(headings: readonly string[]): Columns {
  return headings.map(studentColumnOf)
}

export function* studentLines(table: Table, catalogue: Catalogue, today: LocalDate): Generator<StudentLine> {
  const columns = columnsOf(table.headings)
  const classes = finder(catalogue.license_classes)
  const instructors = finder(catalogue.instructors)
  for (const line of table.lines) {
    const cells = cellsByColumn(line, columns)
    const faults: Fault[] = surplusIn(line, columns)
    const student: Record<string, string | boolean> = {}
    for (const [column, cell] of Object.entries(cells) as [StudentColumn, string][]) {
      const { field, value, fault } = readCell(column, cell, { classes, instructors, today })
      if (fault) faults.push({ pointer: `/${column}`, ...fault })
      if (value !== undefined) student[field] = value
    }
    yield { line: line.number, student, faults }
  }
}

function cellsByColumn({ cells }: Line, columns: Columns): Partial<Record<StudentColumn, string>> {
  const found: Partial<Record<StudentColumn, string>> = {}
  columns.forEach((column, at) => {
    const cell = textOfCell(cells[at] ?? '')
    if (!column || cell === '') return
    const isSecond = column === 'phone' && found.phone !== undefined && found.phone !== cell
    found[isSecond ? 'phone_2' : column] ??= cell
  })
  return found
}

/** A cell without a heading comes from a delimiter in unquoted text, which shifts the rest of the line. */
function surplusIn({ cells }: Line, columns: Columns): Fault[] {
  if (cells.slice(columns.length).every((cell) => cell === '')) return []
  const detail = `The line has ${cells.length} cells, the heading ${columns.length}.`
  return [{ pointer: '', code: 'too_many_cells', detail }]
}

type Find = (name: string) => readonly string[]
type CellContext = { readonly classes: Find; readonly instructors: Find; readonly today: LocalDate }
type Read = {
  readonly field: string
  readonly value?: string | boolean
  readonly fault?: Pick<Fault, 'code' | 'detail'>
}

const PHONES: ReadonlySet<StudentColumn> = new Set(['phone', 'phone_2'])

function readCell(column: StudentColumn, cell: string, { classes, instructors, today }: CellContext): Read {
  if (column === 'license_class') return chosen('license_class_template_id', 'license class', classes(cell))
  if (column === 'preferred_instructor')
    return chosen('preferred_instructor_id', 'instructor', instructors(cell))
  if (column === 'birth_date') return birthday(cell, today)
  if (column === 'message_channel') return { field: column, value: cell || 'mail' }
  if (column === 'messages_consent') return { field: column, value: flagOfCell(cell) }
  if (!PHONES.has(column) || !isRounded(cell)) return { field: column, value: cell }
  const detail = `${column} has been rounded by a spreadsheet: its last digits are lost.`
  return { field: column, fault: { code: 'invalid_format', detail } }
}

function birthday(cell: string, today: LocalDate): Read {
  const field = 'birth_date'
  const value = birthdayOfCell(cell, today)
  const fault = isLocalDate(value) ? birthFaultFor(value, today) : undefined
  if (fault === undefined) return { field, value }
  const { min, max } = STUDENT_AGE
  const detail =
    fault === 'in_the_future'
      ? 'birth_date must not be in the future.'
      : `birth_date must be of a person from ${min} to ${max} years of age.`
  return { field, fault: { code: fault, detail } }
}

function chosen(field: string, kind: string, [value, another]: readonly string[]): Read {
  if (value === undefined)
    return { field, fault: { code: 'unknown', detail: `The school has no such ${kind}.` } }
  if (another === undefined) return { field, value }
  return { field, fault: { code: 'ambiguous', detail: `The school has several such ${kind}s.` } }
}

const CLASS = /^(?:klasse|kl\.|class)\s+/i

/** Finds ids by name, in any spelling and word order: by the first of the names, or else by the next. */
function finder(known: readonly Named[]): Find {
  const ranks = Math.max(0, ...known.map(({ names }) => names.length))
  const byRank = Array.from({ length: ranks }, (_, rank) =>
    Map.groupBy(known, ({ names }) => spelled(names[rank] ?? '')),
  )
  const bySigns = Map.groupBy(known, ({ names }) => signsOf(names[0] ?? ''))
  return (name) => {
    const wanted = name.replace(CLASS, '')
    const found = byRank.map((named) => named.get(spelled(wanted))).find((some) => some !== undefined)
    return (found ?? bySigns.get(signsOf(wanted)) ?? []).map(({ id }) => id)
  }
}

function spelled(name: string): string {
  return wordsIn(shortest(name)).toSorted().join(' ')
}

function signsOf(name: string): string {
  return shortest(name).replace(/[^\p{L}\p{N}]/gu, '')
}
