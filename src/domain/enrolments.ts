import type { Attendee } from './group.ts'
import { dateOf, type LocalDate, type LocalDateTime } from './local-time.ts'

export const OUTCOMES = ['passed', 'stopped', 'moved', 'changed'] as const
export type EnrolmentOutcome = (typeof OUTCOMES)[number]

/** The outcomes after which an ended enrolment stays the current one until another begins. */
const STAYING: readonly (EnrolmentOutcome | null)[] = ['passed', 'moved']

/** The fields of an enrolment by which the rules about several of them decide. */
export type EnrolmentState = {
  readonly template_id: string
  readonly license_class: string
  readonly law: string | null
  readonly begins_on: LocalDate
  readonly ends_on: LocalDate | null
  readonly outcome: EnrolmentOutcome | null
  readonly is_current: boolean
}

export type Template = { readonly id: string; readonly license_class: string; readonly law: string | null }

/** The effect on a student's enrolments of writing the student's class. */
export type ClassChoice<One> = {
  readonly changed?: { readonly stored: One; readonly next: One } | undefined
  readonly deleted?: One | undefined
  readonly left?: { readonly stored: One; readonly next: One } | undefined
  readonly begun?: Template | undefined
}

/**
 * Returns the writes that give a student's current enrolment a template, or end it if there is none. If an earlier enrolment for
 * the class ended because the class was changed, it is reopened and keeps its lessons.
 */
export function choiceOf<One extends EnrolmentState>(
  enrolments: readonly One[],
  template: Template | null,
  { today, isUsed }: { readonly today: LocalDate; readonly isUsed: (enrolment: One) => boolean },
): ClassChoice<One> {
  const current = enrolments.find(({ is_current }) => is_current)
  if (template === null) return current ? leaving(current, 'stopped', { today, isUsed }) : {}
  if (current?.template_id === template.id) return {}
  const named = { template_id: template.id, license_class: template.license_class, law: template.law }
  if (current?.license_class === template.license_class)
    return { changed: { stored: current, next: { ...current, ...named } } }
  const open = enrolments.find((one) => isOpen(one) && one.license_class === template.license_class)
  if (open) {
    const left = current && { stored: current, next: { ...current, is_current: false } }
    return { left, changed: { stored: open, next: { ...open, ...named, is_current: true } } }
  }
  const former = enrolments.findLast(
    (one) => one.outcome === 'changed' && one.license_class === template.license_class,
  )
  if (former) {
    const next = { ...former, ...named, outcome: null, ends_on: null, is_current: true }
    return {
      ...(current && leaving(current, 'changed', { today, isUsed })),
      changed: { stored: former, next },
    }
  }
  if (current && isOpen(current) && !isUsed(current))
    return { changed: { stored: current, next: { ...current, ...named } } }
  return { ...(current && leaving(current, 'changed', { today, isUsed })), begun: template }
}

export function isOpen({ outcome }: Pick<EnrolmentState, 'outcome'>): boolean {
  return outcome === null
}

/** Whether an enrolment may be the current one: one that has ended stays so after some outcomes only. */
export function mayBeCurrent({ outcome }: Pick<EnrolmentState, 'outcome'>, wasCurrent: boolean): boolean {
  return outcome === null || (wasCurrent && STAYING.includes(outcome))
}

function leaving<One extends EnrolmentState>(
  current: One,
  outcome: EnrolmentOutcome,
  { today, isUsed }: { readonly today: LocalDate; readonly isUsed: (enrolment: One) => boolean },
): ClassChoice<One> {
  if (!isOpen(current)) return { left: { stored: current, next: { ...current, is_current: false } } }
  if (!isUsed(current)) return { deleted: current }
  const ends_on = current.begins_on > today ? current.begins_on : today
  return { left: { stored: current, next: { ...current, outcome, ends_on, is_current: false } } }
}

/** The fields of an enrolment by which a lesson is given to it. */
export type LessonEnrolment = Omit<EnrolmentState, 'template_id' | 'law'> & { readonly id: string }

/** Returns the enrolment of a lesson on a day: the one that covers it, or if several or none do, the current one that is open. */
export function enrolmentOn<One extends LessonEnrolment>(
  enrolments: readonly One[],
  day: LocalDate,
): One | undefined {
  const onDay = enrolments.filter((one) => covers(one, day))
  if (onDay.length === 1) return onDay[0]
  return enrolments.find((one) => one.is_current && (isOpen(one) || covers(one, day)))
}

export function covers(
  { begins_on, ends_on }: Pick<EnrolmentState, 'begins_on' | 'ends_on'>,
  day: LocalDate,
): boolean {
  return begins_on <= day && day <= (ends_on ?? day)
}

type Taught = {
  readonly student_id: string | null
  readonly start_at: LocalDateTime
  readonly enrolment_id: string | null
  readonly license_class: string | null
  readonly attendees: Attendee[]
}

type Enrolling = {
  /** The enrolment that the request names; undefined if it leaves it out. */
  readonly named: string | null | undefined
  /** The lesson before the change; undefined for a new one. */
  readonly stored?: Taught | undefined
  readonly enrolmentsOf: (student_id: string) => readonly LessonEnrolment[]
  readonly isTheory: boolean
  readonly now: LocalDateTime
}

/**
 * Returns the lesson with the enrolments and the class that it counts toward; undefined if a named one is not the student's.
 * A lesson keeps its enrolment with the same student, except a coming one whose enrolment has ended.
 */
export function withEnrolments<Lesson extends Taught>(
  lesson: Lesson,
  { named, stored, enrolmentsOf, isTheory, now }: Enrolling,
): Lesson | undefined {
  const { student_id, start_at } = lesson
  const day = dateOf(start_at)
  const attendees = lesson.attendees.map(({ student_id: id, attended, enrolment_id }) => ({
    attended,
    student_id: id,
    enrolment_id:
      enrolment_id === undefined ? (enrolmentOn(enrolmentsOf(id), day)?.id ?? null) : enrolment_id,
  }))
  const isKnown = (one: Attendee) =>
    isEnrolled(enrolmentsOf(one.student_id), one.enrolment_id) ||
    stored?.attendees.some((known) => known.student_id === one.student_id && isAlike(known, one))
  if (!attendees.every(isKnown)) return undefined
  if (student_id === null)
    return named ? undefined : { ...lesson, attendees, enrolment_id: null, license_class: null }
  const own = enrolmentsOf(student_id)
  if (!isEnrolled(own, named)) return undefined
  const known = stored?.student_id === student_id ? stored : undefined
  const isComing = start_at > now
  const isStale = (id: string) => isComing && !own.some((one) => one.id === id && isOpen(one))
  const isKept = known && (known.enrolment_id === null || !isStale(known.enrolment_id))
  const kept = isKept ? known.enrolment_id : (enrolmentOn(own, day)?.id ?? null)
  const enrolment_id = named === undefined ? kept : named
  if (known && enrolment_id === known.enrolment_id && (!isComing || enrolment_id === null))
    return { ...lesson, attendees, enrolment_id }
  const license_class = isTheory ? null : (own.find(({ id }) => id === enrolment_id)?.license_class ?? null)
  return { ...lesson, attendees, enrolment_id, license_class }
}

function isEnrolled(enrolments: readonly LessonEnrolment[], id: string | null | undefined): boolean {
  return !id || enrolments.some((one) => one.id === id)
}

function isAlike({ enrolment_id: one = null }: Attendee, { enrolment_id: other = null }: Attendee): boolean {
  return one === other
}
