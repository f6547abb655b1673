import { type Attendee, outcomeFor } from './group.ts'
import type { LocalDate, LocalDateTime } from './local-time.ts'
import { actualMinutesOf, actualTimesOf } from './worked.ts'

export const SIGNED_AS = ['school', 'student', 'instructor'] as const
export type SignedAs = (typeof SIGNED_AS)[number]

/** A drawn signature: lines of points, each with the milliseconds since the first. */
export type DrawnLines = readonly (readonly (readonly [x: number, y: number, ms: number])[])[]

/** The largest drawing, in bytes of JSON. */
export const MAX_STROKES_BYTES = 64 * 1024

/** The warning of a change to a signed lesson. */
export type SignedWarning = {
  readonly code: 'signed'
  readonly params: { readonly as: readonly SignedAs[] }
}

/** The text of a lesson to sign. Its digest identifies it. */
export type LessonDocument = {
  readonly appointment_id: string
  readonly student_id: string
  readonly enrolment_id: string | null
  readonly date: LocalDate
  readonly start_time: string
  readonly minutes: number
  readonly lesson_type_id: string
  readonly topic: string | null
  readonly instructor_id: string
}

/** The fields of an appointment on which its document depends. */
export type SignedLesson = {
  readonly id: string
  readonly student_id: string | null
  readonly enrolment_id: string | null
  readonly attendees: readonly Attendee[]
  readonly status: string
  readonly start_at: LocalDateTime
  readonly end_at: LocalDateTime
  readonly actual_start_at: LocalDateTime | null
  readonly actual_end_at: LocalDateTime | null
  readonly lesson_type_id: string
  readonly topic: string | null
  readonly instructor_id: string
}

/** Returns the text to sign for a student of the lesson; undefined if the student is not in it. */
export function lessonDocumentFor(
  lesson: SignedLesson,
  student_id: string,
  timezone: string,
): LessonDocument | undefined {
  const seat = lesson.attendees.find((one) => one.student_id === student_id)
  if (!seat && lesson.student_id !== student_id) return undefined
  const { start_at } = actualTimesOf(lesson)
  return {
    appointment_id: lesson.id,
    student_id,
    enrolment_id: (seat ? seat.enrolment_id : lesson.enrolment_id) ?? null,
    date: start_at.slice(0, 10),
    start_time: start_at.slice(11),
    minutes: actualMinutesOf(lesson, timezone),
    lesson_type_id: lesson.lesson_type_id,
    topic: lesson.topic,
    instructor_id: lesson.instructor_id,
  }
}

export function isCompletedFor(lesson: SignedLesson, student_id: string): boolean {
  return outcomeFor(student_id, lesson) === 'completed'
}

/** A field that differs from the signed document, with the lesson if it is that of one. */
export type SignedChange = { readonly field: string; readonly appointment_id: string | null }

/** Returns the fields of a lesson that have changed since it was signed. */
export function lessonChangesSince(
  signed: LessonDocument,
  lesson: SignedLesson | undefined,
  timezone: string,
): readonly SignedChange[] {
  const { appointment_id, student_id } = signed
  const current = lesson && lessonDocumentFor(lesson, student_id, timezone)
  if (!lesson || !current) return [{ field: 'student_id', appointment_id }]
  const names = differingNames(signed, current)
  const fields = isCompletedFor(lesson, student_id) ? names : [...names, 'status']
  return fields.map((field) => ({ field, appointment_id }))
}

function differingNames(one: object, other: object): readonly string[] {
  const [before, after] = [new Map(Object.entries(one)), new Map(Object.entries(other))]
  const names = new Set([...before.keys(), ...after.keys()])
  return [...names].filter((name) => JSON.stringify(before.get(name)) !== JSON.stringify(after.get(name)))
}

/** Returns the digest of a lesson's text: `sha256:` and the hash of its canonical JSON (RFC 8785). */
export async function lessonDigestOf(document: LessonDocument): Promise<string> {
  const sorted = Object.fromEntries(Object.entries(document).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(sorted)))
  return `sha256:${Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
