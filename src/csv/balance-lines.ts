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

export const balanceColumns = columnNames('opening-balances', BALANCE_COLUMNS)

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
  readonly columns: Columns<BalanceColumn>
  readonly catalogue: BalanceCatalogue
  readonly today: LocalDate
}

/** Yields the entries. A line names its student by id, or else by name. */
export function* balanceLines(
  table: Table,
  { columns, catalogue, today }: Reading,
): Generator<DescribedLine> {
  const { studentOf, studentsNamed, lessonTypesNamed: types } = catalogue
  const read = (column: BalanceColumn, cell: string) => readCell(column, cell, { types, today })
  for (const { line, fields, faults } of describedLines(table, { columns, readCell: read })) {
    const { id, first_name, last_name, ...entry } = fields
    const known = studentOf(String(id).toLowerCase())
    const name = [first_name, last_name].filter((part) => part !== undefined).join(' ')
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
      faults: fault ? [{ pointer: '/last_name', ...fault }, ...faults] : faults,
    }
  }
}

type CellContext = { readonly types: FindByName; readonly today: LocalDate }

function readCell(column: BalanceColumn, cell: string, { types, today }: CellContext): ReadCell {
  if (column === 'lesson_type') return chosen('lesson_type_id', 'lesson type', types(cell))
  if (column === 'units') return { field: column, value: wholeNumberOfCell(cell) }
  if (column === 'date') return { field: column, value: dateOfCell(cell, { kind: 'over', today }) }
  return { field: column, value: cell }
}
