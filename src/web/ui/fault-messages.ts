import i18next, { type TFunction } from 'i18next'
import type { Fault } from '../../contract/problem.ts'
import type { FieldLabel } from './i18n/de-fields.ts'

const CODES = {
  required: 'fault.missing',
  too_short: 'fault.missing',
  too_long: 'fault.tooLong',
  too_many: 'fault.tooLong',
  out_of_range: 'fault.outOfRange',
  too_far: 'fault.tooFar',
  wrong_length: 'fault.wrongLength',
  too_common: 'fault.tooCommon',
  wrong_order: 'fault.wrongOrder',
  invalid_format: 'fault.format',
} as const

/** Explains a fault; falls back to the service's message. */
export function faultMessage({ pointer, code, detail }: Fault, t: TFunction): string {
  // The school's defaults have the labels of an instructor's fields.
  const parts = pointer.split('/')
  const labels = [parts[1]?.replace(/^default_/, ''), parts.at(-1)].map(
    (name) => `field.${name}` as FieldLabel,
  )
  const label = labels.find((key): boolean => i18next.exists(key))
  const words = CODES[code as keyof typeof CODES]
  return label && words ? `${t(label)}: ${t(words)}` : detail
}
