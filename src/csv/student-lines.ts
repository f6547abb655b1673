import type { DoubtCode } from '../contract/file-import.ts'
import { wholeNumberOf } from '../domain/certain-phone.ts'
import { isLocalDate, type LocalDate } from '../domain/local-time.ts'
import { languagesOf } from '../domain/page-languages.ts'
import { pastedEmail, pastedPhone, visibleText } from '../domain/pasted.ts'
import { postalCodeWithZero } from '../domain/postal-code.ts'
import { completed } from '../domain/steps.ts'
import { birthFaultFor, STUDENT_AGE } from '../domain/typed-date.ts'
import { NO_NAME, namePartsOf } from '../domain/written-name.ts'
import {
  addressInLine,
  dateOfCell,
  flagOfCell,
  isRounded,
  languageOfCell,
  wholeNumberOfCell,
} from './cells.ts'
import { chosen, type FindByName, finder, type NameCandidate } from './find-by-name.ts'
import { type CellDoubt, type Columns, type DescribedLine, describedLines, type ReadCell } from './lines.ts'
import { priorClassesOfCell } from './prior-classes.ts'
import { STUDENT_FILE_COLUMNS, type StudentFileColumn } from './student-columns.ts'
import type { Table } from './table.ts'

export type Catalogue = {
  readonly license_classes: readonly NameCandidate[]
  readonly instructors: readonly NameCandidate[]
}

type Place = { readonly today: LocalDate; readonly timezone: string; readonly country: string }

type Reading = Place & {
  readonly columns: Columns<StudentFileColumn>
  readonly catalogue: Catalogue
  readonly assumed: ReadonlySet<DoubtCode>
}

export function* studentLines(
  table: Table,
  { columns, catalogue, assumed, ...place }: Reading,
): Generator<DescribedLine> {
  const classes = completed(finder(catalogue.license_classes))
  const instructors = completed(finder(catalogue.instructors))
  const readCell = (column: StudentFileColumn, cell: string) =>
    readStudentCell(column, cell, { classes, instructors, ...place })
  const { traits } = STUDENT_FILE_COLUMNS
  for (const line of describedLines(table, { ...traits, columns, assumed, readCell }))
    yield withClass(withBothNames(line, { columns, assumed }))
}

/** Adds a fault to a line with prior classes and without the class to train for, whose enrolment would have them. */
function withClass(line: DescribedLine): DescribedLine {
  const { fields, faults } = line
  const isNamed = faults.some(({ pointer }) => pointer === '/license_class')
  if (fields.prior_classes === undefined || fields.license_class_template_id || isNamed) return line
  const detail = 'license_class must be given, too: the prior classes belong to the training for it.'
  return { ...line, faults: [...faults, { pointer: '/license_class', code: 'required', detail }] }
}

type CellContext = Place & { readonly classes: FindByName; readonly instructors: FindByName }

const CLASS = /^(?:klasse|kl\.|class)\s+/i

function readStudentCell(column: StudentFileColumn, cell: string, context: CellContext): ReadCell {
  const { classes, instructors, country } = context
  switch (column) {
    case 'license_class':
      return chosen('license_class_template_id', 'license class', classes(cell.replace(CLASS, '')))
    case 'preferred_instructor':
      return chosen('preferred_instructor_id', 'instructor', instructors(cell))
    case 'birth_date':
      return birthday(cell, context)
    case 'address':
      return place(column, visibleText(cell), country)
    case 'prior_classes':
      return { field: column, value: priorClassesOfCell(cell, context) }
    case 'messages_consent':
    case 'archived':
      return { field: column, value: flagOfCell(cell) }
    case 'lessons_per_week':
      return { field: column, value: wholeNumberOfCell(cell) }
    case 'language':
      return languageOf(cell, country)
    case 'email':
      return { field: column, value: pastedEmail(cell) }
    case 'phone':
    case 'phone_2':
      return phone(column, pastedPhone(cell), country)
    case 'pickup_place':
      return place(column, addressInLine(cell), country)
    case 'first_name':
    case 'last_name':
      return { field: column, value: visibleText(cell) }
    default:
      return { field: column, value: cell }
  }
}

function languageOf(cell: string, country: string): ReadCell {
  const field = 'language'
  const offered = languagesOf(country)
  const value = languageOfCell(cell, offered)
  if (value !== undefined) return { field, value }
  const detail = `language must be one of ${offered.join(', ')}, or its name: these are the languages of pages in the school's country.`
  return { field, fault: { code: 'not_offered', detail } }
}

function place(column: StudentFileColumn, address: string, country: string): ReadCell {
  return withDoubt(column, address, postalCodeWithZero(address, country))
}

function phone(column: StudentFileColumn, cell: string, country: string): ReadCell {
  if (!isRounded(cell)) return withDoubt(column, cell, wholeNumberOf(cell, country))
  const detail = `${column} has been rounded by a spreadsheet: its last digits are lost. Format the column as text there, and export it again.`
  return { field: column, fault: { code: 'invalid_format', detail } }
}

function withDoubt(field: StudentFileColumn, value: string, proposal: string | undefined): ReadCell {
  return proposal === undefined ? { field, value } : { field, value, doubt: { code: 'lost_zero', proposal } }
}

function birthday(cell: string, { today, timezone }: Place): ReadCell {
  const field = 'birth_date'
  const value = dateOfCell(cell, { kind: 'birth', today, timezone })
  const fault = isLocalDate(value) ? birthFaultFor(value, today) : undefined
  if (fault === undefined) return { field, value }
  const { min, max } = STUDENT_AGE
  const detail =
    fault === 'in_the_future'
      ? 'birth_date must not be in the future.'
      : `birth_date must be of a person from ${min} to ${max} years of age.`
  return { field, fault: { code: fault, detail } }
}

type Names = { readonly first_name?: string; readonly last_name?: string }

/** Splits a whole name. The only name of a person becomes the first name, by which messages address people, if such doubts are resolved. */
function withBothNames(
  { fields, faults, doubts, ...line }: DescribedLine,
  { columns, assumed }: Pick<Reading, 'columns' | 'assumed'>,
): DescribedLine {
  const { name, name_last_first, ...others } = fields
  const whole = columns.find((column) => column === 'name' || column === 'name_last_first')
  const written = whole && fields[whole]
  const parts: Names =
    typeof written === 'string'
      ? namePartsOf(written, { isLastFirst: whole === 'name_last_first' })
      : (others as Names)
  const { first_name = '', last_name = '' } = parts
  const only = last_name === '' ? first_name : last_name
  if (only === '') return { ...line, fields: others, faults, doubts }
  if (first_name !== '' && last_name !== '')
    return { ...line, fields: { ...others, first_name, last_name }, faults, doubts }
  const column = whole ?? (first_name === '' ? 'first_name' : 'last_name')
  const doubt: CellDoubt = { code: 'one_name', column, value: only, proposal: `${only} ${NO_NAME}` }
  const detail = `${column} lacks a name. If the person has only one, import it with ${NO_NAME} as the last name.`
  return {
    ...line,
    fields: { ...others, first_name: only, last_name: NO_NAME },
    faults: assumed.has('one_name')
      ? faults
      : [...faults, { pointer: `/${column}`, code: 'one_name', detail }],
    doubts: [...doubts, doubt],
  }
}
