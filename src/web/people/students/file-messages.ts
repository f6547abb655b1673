import type { TFunction } from 'i18next'
import type { DuplicateLine, LineFault } from '../../../contract/student-import.ts'
import { MOST_IMPORTED_STUDENTS } from '../../../domain/ranges.ts'
import { STUDENT_COLUMNS } from '../../../domain/student-fields.ts'
import { fileFaultOf } from '../../data/student-files.ts'
import { problemMessage } from '../../ui/problem-messages.ts'
import { nameOf } from '../../ui/school.tsx'

const FAULTS = {
  required: 'fault.missing',
  too_short: 'fault.missing',
  too_long: 'fault.tooLong',
  invalid_format: 'fault.format',
  in_the_future: 'files.in_the_future',
  unlikely_age: 'files.unlikely_age',
  unknown: 'files.unknown',
  ambiguous: 'files.ambiguous',
  too_many_cells: 'files.too_many_cells',
} as const

const FILE_FAULTS = [
  'empty',
  'workbook',
  'not_text',
  'malformed',
  'column_missing',
  'too_many_lines',
] as const

/** Returns the label of a recognised column; undefined if it is not imported. */
export function columnText(column: string | null, t: TFunction): string | undefined {
  const known = STUDENT_COLUMNS.find((one) => one === column)
  return known && t(`field.${known}`)
}

/** Returns the fault of a line; the service's message if the app has none. */
export function lineFaultMessage({ column, code, detail }: LineFault, t: TFunction): string {
  const words = FAULTS[code as keyof typeof FAULTS]
  if (!words) return detail
  const field = columnText(column, t)
  return field ? `${field} ${t(words)}` : t(words)
}

/** Returns the name of the likely same person, and the reason. */
export function likenessText({ likeness, same_as }: DuplicateLine, t: TFunction): string {
  const words = t(`same.${likeness}`, { name: nameOf(same_as) })
  return same_as.line === null ? words : `${t('files.line', { line: same_as.line })}: ${words}`
}

/** Explains why a file cannot be read, or another failure. */
export function fileProblemMessage(error: unknown, t: TFunction): string {
  if (error instanceof DOMException) return t('files.unreadable')
  const fault = fileFaultOf(error)
  const known = FILE_FAULTS.find((code) => code === fault?.code)
  if (!known || !fault) return problemMessage(error, t)
  return t(`files.${known}`, { line: fault.pointer.split('/')[2], count: MOST_IMPORTED_STUDENTS })
}
