import { isLocalDate, type LocalDate } from '../domain/local-time.ts'
import { completed } from '../domain/steps.ts'
import type { StudentColumn } from '../domain/student-fields.ts'
import { birthFaultFor, STUDENT_AGE } from '../domain/typed-date.ts'
import { dateOfCell, flagOfCell, isRounded } from './cells.ts'
import { chosen, type FindByName, finder, type NameCandidate } from './find-by-name.ts'
import { type Columns, type DescribedLine, describedLines, type ReadCell } from './lines.ts'
import { SECOND_COLUMNS } from './student-columns.ts'
import type { Table } from './table.ts'

export type Catalogue = {
  readonly license_classes: readonly NameCandidate[]
  readonly instructors: readonly NameCandidate[]
}

type Reading = {
  readonly columns: Columns<StudentColumn>
  readonly catalogue: Catalogue
  readonly today: LocalDate
}

export function studentLines(table: Table, { columns, catalogue, today }: Reading): Generator<DescribedLine> {
  const classes = completed(finder(catalogue.license_classes))
  const instructors = completed(finder(catalogue.instructors))
  const read = (column: StudentColumn, cell: string) =>
    readCell(column, cell, { classes, instructors, today })
  return describedLines(table, { columns, seconds: SECOND_COLUMNS, readCell: read })
}

type CellContext = {
  readonly classes: FindByName
  readonly instructors: FindByName
  readonly today: LocalDate
}

const PHONES: ReadonlySet<StudentColumn> = new Set(['phone', 'phone_2'])
const CLASS = /^(?:klasse|kl\.|class)\s+/i

function readCell(
  column: StudentColumn,
  cell: string,
  { classes, instructors, today }: CellContext,
): ReadCell {
  if (column === 'license_class')
    return chosen('license_class_template_id', 'license class', classes(cell.replace(CLASS, '')))
  if (column === 'preferred_instructor')
    return chosen('preferred_instructor_id', 'instructor', instructors(cell))
  if (column === 'birth_date') return birthday(cell, today)
  if (column === 'message_channel') return { field: column, value: cell || 'mail' }
  if (column === 'messages_consent') return { field: column, value: flagOfCell(cell) }
  if (!PHONES.has(column) || !isRounded(cell)) return { field: column, value: cell }
  const detail = `${column} has been rounded by a spreadsheet: its last digits are lost.`
  return { field: column, fault: { code: 'invalid_format', detail } }
}

function birthday(cell: string, today: LocalDate): ReadCell {
  const field = 'birth_date'
  const value = dateOfCell(cell, { kind: 'birth', today })
  const fault = isLocalDate(value) ? birthFaultFor(value, today) : undefined
  if (fault === undefined) return { field, value }
  const { min, max } = STUDENT_AGE
  const detail =
    fault === 'in_the_future'
      ? 'birth_date must not be in the future.'
      : `birth_date must be of a person from ${min} to ${max} years of age.`
  return { field, fault: { code: fault, detail } }
}
