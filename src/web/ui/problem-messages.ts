import type { TFunction } from 'i18next'
import i18next from 'i18next'
import type { Appointment } from '../../contract/appointment.ts'
import type { Fault } from '../../contract/problem.ts'
import type { ProblemCode } from '../../contract/problem-messages.ts'
import { isRule, type Refusal } from '../../domain/refusal.ts'
import { ApiProblem, Unreachable } from '../data/send.ts'
import { Stale } from '../data/write-queue.ts'
import type { FieldLabel } from './i18n/i18n.ts'
import { waitText } from './wait-text.ts'

/** The texts of problems without parameters. */
const TEXTS = {
  not_found: 'failure.not_found',
  stale: 'failure.stale',
  request_in_progress: 'failure.request_in_progress',
  email_taken: 'access.email_taken',
  slug_taken: 'access.slug_taken',
  last_owner: 'access.last_owner',
  invitation_accepted: 'access.invitation_accepted',
  user_inactive: 'access.user_inactive',
  required_by_school: 'access.required_by_school',
  no_second_factor: 'access.no_second_factor',
  already_undone: 'setUndo.already',
  already_decided: 'request.decided',
  already_cancelled: 'failure.stale',
  not_cancelled: 'failure.stale',
  forbidden: 'role.forbidden',
  unauthenticated: 'failure.session',
  unavailable: 'failure.unavailable',
} as const satisfies Partial<Record<ProblemCode, string>>

export function refusalIn(error: unknown): Refusal | undefined {
  return error instanceof ApiProblem && isRule(error.body.code)
    ? (error.body as unknown as Refusal)
    : undefined
}

/** Whether the outcome of a request is unknown: the service may have executed it. */
export function isOutcomeUnknown(error: unknown): boolean {
  return error instanceof Unreachable || (error instanceof ApiProblem && !error.isFinal)
}

/** Whether another user has changed or deleted the resource meanwhile. */
export function isConcurrentChange(error: unknown): boolean {
  return error instanceof Stale || (error instanceof ApiProblem && error.is('not_found'))
}

/** Whether a change was refused because it would move a lesson away from its actual times. */
export function isFarFromActualTimes(error: unknown): boolean {
  return error instanceof ApiProblem && error.body.errors?.some(({ code }) => code === 'too_far') === true
}

/** Returns the refusals that this app has messages for. */
export function refusalsIn(
  refusals: readonly { readonly code: string; readonly params: object }[],
): readonly Refusal[] {
  return refusals.filter(({ code }) => isRule(code)) as readonly Refusal[]
}

/** Explains a failure other than a broken rule. */
export function problemMessage(error: unknown, t: TFunction): string {
  if (error instanceof Unreachable) return t('failure.unreachable')
  if (error instanceof Stale) return t('failure.stale')
  if (isCodeMissing(error)) return t(navigator.onLine ? 'failure.outdated' : 'failure.unreachable')
  if (!(error instanceof ApiProblem)) return t('failure.other', { id: String(error) })
  const { code, errors, request_id } = error.body
  if (code === 'too_many_requests') return waitText(error.retryAfterSeconds ?? 60, t)
  if (code === 'too_many_mails')
    return t('access.tooManyMails', { count: Math.ceil((error.retryAfterSeconds ?? 3600) / 60) })
  const text = TEXTS[code as keyof typeof TEXTS]
  if (text) return t(text)
  if (errors) return t('failure.invalid', { faults: errors.map((fault) => faultMessage(fault, t)).join(' ') })
  return t('failure.other', { id: request_id })
}

/** The texts by which browsers, and Vite for a style sheet, report code that cannot be fetched. */
const CODE_MISSING = /dynamically imported module|importing a module|preload css/i

function isCodeMissing(error: unknown): boolean {
  return error instanceof Error && CODE_MISSING.test(error.message)
}

/** Returns the current appointment if another user has changed it. */
export function currentIn(error: unknown): Appointment | undefined {
  return error instanceof Stale ? (error.current as Appointment) : undefined
}

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
  not_allowed: 'fault.notAllowed',
  not_an_exam: 'fault.notAnExam',
} as const

/** Explains a fault; falls back to the service's message. */
function faultMessage({ pointer, code, detail }: Fault, t: TFunction): string {
  // The school's defaults use the labels of an instructor's fields.
  const parts = pointer.split('/')
  const labels = [parts[1]?.replace(/^default_/, ''), parts.at(-1)].map(
    (name) => `field.${name}` as FieldLabel,
  )
  const label = labels.find((key): boolean => i18next.exists(key))
  const reason = CODES[code as keyof typeof CODES]
  return label && reason ? `${t(label)}: ${t(reason)}` : detail
}
