import OWN_NAMES from '../../packs/columns/opening-balances.json' with { type: 'json' }
import type { DoubtCode } from '../contract/file-import.ts'
import type { LocalDate } from '../domain/local-time.ts'
import type { Steps } from '../domain/steps.ts'
import { dateOfCell, wholeNumberOfCell } from './cells.ts'
import { columnNames } from './column-names.ts'
import { chosen, type FindByName, finder, type NameCandidate } from './find-by-name.ts'
import { type Columns, type DescribedLine, describedLines, type ReadCell } from './lines.ts'
import type { Table } from './table.ts'

export const BALANCE_COLUMNS = [
  'id',
  'last_name',
  'first_name',
  'lesson_type',
  'units',
  'date',
  'source',
] as const
export type BalanceColumn = (typeof BALANCE_COLUMNS)[number]

/** The columns of a file, in which one may have the whole name. */
export type BalanceFileColumn = BalanceColumn | 'name'

export const balanceColumns = columnNames<BalanceFileColumn>([...BALANCE_COLUMNS, 'name'], OWN_NAMES, {
  wholes: { name: ['first_name', 'last_name'] },
  names: new Set<BalanceFileColumn>(['first_name', 'last_name', 'name']),
})

type NamedStudent = { readonly id: string; readonly first_name: string; readonly last_name: string }

export type BalanceCatalogue = {
  readonly studentOf: (id: string) => NamedStudent | undefined
  readonly studentsNamed: FindByName
  readonly lessonTypesNamed: FindByName
}

export function* balanceCatalogue(
  students: readonly NamedStudent[],
  lessonTypes: readonly NameCandidate[],
): Steps<BalanceCatalogue> {
  const byId = new Map<string, NamedStudent>()
  for (const student of students) {
    byId.set(student.id, student)
    yield
  }
  return {
    studentOf: (id) => byId.get(id),
    studentsNamed: yield* finder(namesOf(students)),
    lessonTypesNamed: yield* finder(lessonTypes),
  }
}

function* namesOf(students: readonly NamedStudent[]): Generator<NameCandidate> {
  for (const { id, first_name, last_name } of students) yield { id, names: [`${first_name} ${last_name}`] }
}

type Reading = {
  readonly columns: Columns<BalanceFileColumn>
  readonly catalogue: BalanceCatalogue
  readonly today: LocalDate
  readonly timezone: string
  readonly assumed: ReadonlySet<DoubtCode>
}

/** Yields the entries. A line names its student by id, or else by name. */
export function* balanceLines(
  table: Table,
  { columns, catalogue, assumed, ...days }: Reading,
): Generator<DescribedLine> {
  const { studentOf, studentsNamed, lessonTypesNamed: types } = catalogue
  const read = (column: BalanceFileColumn, cell: string) => readBalanceCell(column, cell, { types, ...days })
  const reading = { ...balanceColumns.traits, columns, assumed, readCell: read }
  for (const { line, fields, faults, doubts } of describedLines(table, reading)) {
    const { id, first_name, last_name, name: whole, ...entry } = fields
    const known = studentOf(String(id).toLowerCase())
    const name = [first_name, last_name, whole].filter((part) => part !== undefined).join(' ')
    const { value, fault } = known
      ? { value: known.id, fault: undefined }
      : chosen('student_id', 'student', name === '' ? [] : studentsNamed(name))
    const student = studentOf(String(value))
    yield {
      line,
      fields: {
        ...(student && {
          student_id: student.id,
          first_name: student.first_name,
          last_name: student.last_name,
        }),
        ...entry,
      },
      faults: fault ? [{ pointer: whole ? '/name' : '/last_name', ...fault }, ...faults] : faults,
      doubts,
    }
  }
}

type CellContext = Pick<Reading, 'today' | 'timezone'> & { readonly types: FindByName }

function readBalanceCell(column: BalanceFileColumn, cell: string, { types, ...days }: CellContext): ReadCell {
  if (column === 'lesson_type') return chosen('lesson_type_id', 'lesson type', types(cell))
  if (column === 'units') return { field: column, value: wholeNumberOfCell(cell) }
  if (column === 'date') return { field: column, value: dateOfCell(cell, { kind: 'over', ...days }) }
  return { field: column, value: cell }
}
