import { LESSON_TEXTS, type LessonTextName } from './appointment-fields.ts'
import { daysLater, type LocalDate, monthsLater, YEARS } from './local-time.ts'
import type { STUDENT_FIELDS } from './student-fields.ts'

/** A country's rule: the years for which something is kept, from a day on, or from the end of that day's year on. */
export type RetentionRule = { readonly years: number; readonly from: 'day' | 'end_of_year' }

/** The fields of a student that the training record needs; all others go once the school no longer needs them. */
export const RECORD_FIELDS = [
  'first_name',
  'last_name',
  'birth_date',
  'address',
  'license_class_template_id',
] as const satisfies readonly (keyof typeof STUDENT_FIELDS)[]

const RECORD_TEXTS: ReadonlySet<LessonTextName> = new Set(['topic', 'practised'])

/** The texts of a lesson that the training record does not need. */
export const TEXTS_BESIDE_RECORD: readonly LessonTextName[] = LESSON_TEXTS.filter(
  (name) => !RECORD_TEXTS.has(name),
)

/** Returns the last day on which something must be kept. From 29 February it is 1 March in a year without that day. */
export function retainedUntil(day: LocalDate, { years, from }: RetentionRule): LocalDate {
  return from === 'end_of_year' ? `${yearOf(day) + years}-12-31` : yearsLater(day, years)
}

/** Returns the first day from which something is still kept on a day. */
function firstKept(on: LocalDate, { years, from }: RetentionRule): LocalDate {
  return from === 'end_of_year' ? `${yearOf(on) - years}-01-01` : yearsLater(on, -years)
}

function yearOf(day: LocalDate): number {
  return Number(day.slice(0, 4))
}

function yearsLater(day: LocalDate, years: number): LocalDate {
  const date = new Date(Date.UTC(yearOf(day) + years, Number(day.slice(5, 7)) - 1, Number(day.slice(8))))
  return date.toISOString().slice(0, 10)
}

/** The rules of a country; null where the law names no time. */
export type RetentionRules = {
  /** For the training record, from the last day of instruction on. */
  readonly record: RetentionRule | null
  /** For everything else. */
  readonly other: RetentionRule | null
}

type RetainedEnrolment = {
  readonly id: string
  readonly license_class: string
  readonly begins_on: LocalDate
  readonly ends_on: LocalDate | null
  readonly is_open: boolean
  readonly is_current: boolean
}

/** The lessons of a student in one enrolment, or in none. */
type Taught = {
  readonly enrolment_id: string | null
  /** The day of the last lesson that was driven or attended, exams apart. */
  readonly last_on: LocalDate | null
}

export type RetentionFacts = {
  readonly id: string
  readonly restricted: boolean
  readonly hold: { readonly until: LocalDate | null } | null
  /** The day of the next planned lesson. */
  readonly coming_on: LocalDate | null
  /** The day of the last lesson of any kind, or of the last change of the student's data. */
  readonly active_on: LocalDate
  readonly enrolments: readonly RetainedEnrolment[]
  readonly taught: readonly Taught[]
}

export const KEPT_REASONS = ['hold', 'open_enrolment', 'coming_appointment', 'record'] as const
export type KeptReason = (typeof KEPT_REASONS)[number]

export type EndedEnrolment = {
  readonly id: string
  readonly license_class: string
  readonly ends_on: LocalDate
  readonly retained_until: LocalDate
}

export type RetentionVerdict =
  | { readonly kind: 'due'; readonly enrolments: readonly EndedEnrolment[] }
  | { readonly kind: 'partial'; readonly until: LocalDate }
  | { readonly kind: 'kept'; readonly reason: KeptReason; readonly until: LocalDate | null }

/** Returns whether a student is due on a day, or the reason why not; undefined if nothing of the student is near its end. */
export function retentionVerdict(
  facts: RetentionFacts,
  { record, other }: RetentionRules,
  on: LocalDate,
): RetentionVerdict | undefined {
  if (isOnHold(facts, on)) return { kind: 'kept', reason: 'hold', until: facts.hold?.until ?? null }
  if (!record) return undefined
  const kept = recordKeptUntil(facts, record)
  const until = kept === undefined ? lastTraceUntil(facts, other) : kept
  if (until === undefined) return undefined
  const enrolments = endedEnrolments(facts, record)
  const isOneOver = enrolments.some(({ retained_until }) => retained_until < on)
  const isListed = isOneOver || facts.restricted
  if (until === null) return isListed ? { kind: 'kept', reason: 'open_enrolment', until } : undefined
  const isOtherOver = other !== null && !facts.restricted && isOver(facts, other, on)
  const isRecordOver = until < on
  if (!(isListed || isOtherOver || isRecordOver)) return undefined
  if (facts.coming_on && (isOtherOver || isRecordOver))
    return { kind: 'kept', reason: 'coming_appointment', until: facts.coming_on }
  if (isRecordOver) return { kind: 'due', enrolments }
  return isOtherOver ? { kind: 'partial', until } : { kind: 'kept', reason: 'record', until }
}

export function isOnHold({ hold }: Pick<RetentionFacts, 'hold'>, on: LocalDate): boolean {
  return hold !== null && (hold.until === null || hold.until >= on)
}

/** Returns the last day of the training record: null while an enrolment is open, undefined if there is no record. */
export function recordKeptUntil(facts: RetentionFacts, rule: RetentionRule): LocalDate | null | undefined {
  if (facts.enrolments.some(({ is_open }) => is_open)) return null
  const last = lastDay(facts)
  return last && retainedUntil(last, rule)
}

/**
 * Returns the days from which on a lesson is so recent that its open or ended enrolment cannot put the student on a preview. Others
 * can be listed only without an enrolment, on hold or restricted.
 */
export function recentFrom(
  { record, other }: RetentionRules,
  on: LocalDate,
): { readonly open_from: LocalDate; readonly ended_from: LocalDate } {
  const kept = [record, other].map((rule) => rule && firstKept(on, rule))
  return { open_from: daysLater(yearWithoutLesson(on), 1), ended_from: latest(kept) ?? `${YEARS.min}-01-01` }
}

function yearWithoutLesson(on: LocalDate): LocalDate {
  return monthsLater(on, -MONTHS_WITHOUT_LESSON)
}

const MONTHS_WITHOUT_LESSON = 12

export type UnendedEnrolment = { readonly enrolment_id: string; readonly last_lesson_on: LocalDate | null }

/** Returns the open enrolments without a lesson for a year, which nobody has ended. */
export function unendedEnrolments(facts: RetentionFacts, on: LocalDate): readonly UnendedEnrolment[] {
  const since = yearWithoutLesson(on)
  return facts.enrolments.flatMap((enrolment) => {
    const last_lesson_on = lastLessonOf(facts, enrolment) ?? null
    const isUnended = enrolment.is_open && (last_lesson_on ?? enrolment.begins_on) <= since
    return isUnended ? [{ enrolment_id: enrolment.id, last_lesson_on }] : []
  })
}

function endedEnrolments(facts: RetentionFacts, rule: RetentionRule): readonly EndedEnrolment[] {
  return facts.enrolments.flatMap((enrolment) => {
    const { id, license_class, ends_on } = enrolment
    if (enrolment.is_open || ends_on === null) return []
    const retained_until = retainedUntil(lastLessonOf(facts, enrolment) ?? ends_on, rule)
    return [{ id, license_class, ends_on, retained_until }]
  })
}

function lastLessonOf({ taught, enrolments }: RetentionFacts, { id, is_current }: RetainedEnrolment) {
  const isUnassigned = ({ enrolment_id }: Taught) => !enrolments.some((one) => one.id === enrolment_id)
  const own = taught.filter((one) => one.enrolment_id === id || (is_current && isUnassigned(one)))
  return latest(own.map(({ last_on }) => last_on))
}

/** Returns the last day of instruction; undefined without a lesson and an ended enrolment. */
function lastDay(facts: RetentionFacts): LocalDate | undefined {
  const ended = facts.enrolments.map((one) => (lastLessonOf(facts, one) ? null : one.ends_on))
  return latest([...facts.taught.map(({ last_on }) => last_on), ...ended])
}

function isOver(facts: RetentionFacts, rule: RetentionRule, on: LocalDate): boolean {
  const last = lastDay(facts)
  return last !== undefined && retainedUntil(last, rule) < on
}

function lastTraceUntil({ active_on }: RetentionFacts, other: RetentionRule | null): LocalDate | undefined {
  return other ? retainedUntil(active_on, other) : undefined
}

function latest(days: readonly (LocalDate | null)[]): LocalDate | undefined {
  return days
    .filter((day) => day !== null)
    .toSorted()
    .at(-1)
}
