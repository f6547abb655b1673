import type { TFunction } from 'i18next'
import type { LineFault } from '../../../contract/file-import.ts'
import { MAX_IMPORTED_LINES, MAX_IMPORTED_VEHICLES } from '../../../domain/ranges.ts'
import { STUDENT_COLUMNS, type StudentColumn } from '../../../domain/student-fields.ts'
import { fileFaultOf, type ImportDuplicate, type ImportKind } from '../../data/student-files.ts'
import { problemMessage } from '../../ui/problem-messages.ts'
import { nameOf } from '../../ui/school.tsx'

const FAULTS = {
  required: 'fault.missing',
  too_short: 'fault.missing',
  too_long: 'fault.tooLong',
  invalid_format: 'fault.format',
  not_allowed: 'files.not_allowed',
  wrong_type: 'files.wrong_type',
  out_of_range: 'fault.outOfRange',
  too_many: 'fault.outOfRange',
  in_the_future: 'files.in_the_future',
  unlikely_age: 'files.unlikely_age',
  unknown: 'files.unknown',
  ambiguous: 'files.ambiguous',
  too_many_cells: 'files.too_many_cells',
  bad_quote: 'files.bad_quote',
  line_break: 'files.line_break',
  wrong_letters: 'files.wrong_letters',
  one_name: 'files.one_name',
} as const

const FILE_FAULTS = ['empty', 'workbook', 'not_text', 'malformed', 'too_many_lines'] as const

const LABELS = {
  archived: 'former.one',
  name: 'field.name',
  name_last_first: 'files.name_last_first',
  kind: 'field.kind',
  gearbox: 'field.gearbox',
  license_classes: 'field.license_classes',
  plate: 'field.plate',
  active: 'vehicle.active',
  id: 'files.studentId',
  lesson_type: 'field.lesson_type',
  units: 'field.units',
  date: 'opening.date',
  source: 'field.source',
} as const

type Field = Exclude<StudentColumn, 'archived'>

/** Returns the label of a recognised column; undefined if it is not imported. */
export function columnText(column: string | null, t: TFunction): string | undefined {
  const known = STUDENT_COLUMNS.find((one): one is Field => one !== 'archived' && one === column)
  if (known) return t(`field.${known}`)
  const label = LABELS[column as keyof typeof LABELS]
  return label && t(label)
}

/** Returns the fault of a line; the service's message if the app has none. */
export function lineFaultMessage({ column, code, detail }: LineFault, t: TFunction): string {
  const message = FAULTS[code as keyof typeof FAULTS]
  if (!message) return detail
  const field = columnText(column, t)
  const subject = field ?? (code === 'bad_quote' ? t('files.theLine') : undefined)
  return subject ? `${subject} ${t(message)}` : t(message)
}

/** Returns the name in a line and the reason why it is probably a duplicate. */
export function duplicateText(one: ImportDuplicate, t: TFunction): string {
  if ('units' in one) return `${nameOf(one)}: ${t(`files.entry.${one.likeness}`, { units: one.units })}`
  const isVehicle = 'name' in one
  const message = isVehicle
    ? t(`files.vehicle.${one.likeness}`, { name: one.same_as.name })
    : t(`same.${one.likeness}`, { name: nameOf(one.same_as) })
  const { line } = one.same_as
  const reason = line === null ? message : `${t('files.line', { line })}: ${message}`
  return `${isVehicle ? one.name : nameOf(one)}: ${reason}`
}

/** Explains why a file of a kind cannot be read, or another failure. */
export function fileProblemMessage(error: unknown, kind: ImportKind, t: TFunction): string {
  if (error instanceof DOMException) return t('files.unreadable')
  const fault = fileFaultOf(error)
  const known = FILE_FAULTS.find((code) => code === fault?.code)
  if (!known || !fault) return problemMessage(error, t)
  const count = kind === 'vehicles' ? MAX_IMPORTED_VEHICLES : MAX_IMPORTED_LINES
  return t(`files.${known}`, { line: fault.pointer.split('/')[2], count })
}
