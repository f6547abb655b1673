import { sql } from 'kysely'
import type { Actor } from '../contract/actor.ts'
import type { Assumed } from '../contract/assumed.ts'
import { notFound } from '../contract/problem.ts'
import type { Agenda, CountedAppointment, Proposal } from '../domain/agenda.ts'
import { type Interval, intervalOf } from '../domain/interval.ts'
import { type LocalDateTime, localDateTimeFor } from '../domain/local-time.ts'
import { holdsWholeStretch, reachAround, widened } from '../domain/reach.ts'
import { localNow } from '../domain/time-zone.ts'
import { type CalendarVersion, calendarIdsOf } from './calendar-locks.ts'
import {
  type Calendar,
  type CalendarQuestion,
  type CalendarRow,
  calendarColumns,
  calendarJoins,
  calendarOf,
} from './calendar-rows.ts'
import type { CountingLessonType } from './lesson-types.ts'
import { type Parameters, statement } from './statement.ts'
import type { Database } from './tables.ts'

/** Calendars by their ids, and the lesson type that was asked for; what the tenant does not have is missing. */
export type Calendars = {
  readonly of: ReadonlyMap<string, Calendar>
  readonly lesson_type: CountingLessonType | undefined
}

/** The calendars to load and the range, without the appointment `except`. */
export type CalendarsRequest = {
  readonly ids: readonly string[]
  readonly range: Interval
  readonly lesson_type_id: string
  readonly except: string
  /** The school's wall clock. */
  readonly now: LocalDateTime
}

/**
 * Loads the calendars of any number of instructors and students, in one statement: one state of them all. Under locks
 * that an earlier statement has taken it is the state that stands; a statement's own snapshot is older than its wait for
 * a lock.
 */
export async function loadCalendars(
  db: Database,
  tenantId: string,
  { ids, range, ...rest }: CalendarsRequest,
): Promise<Calendars> {
  const [from, to] = [localDateTimeFor(range.start), localDateTimeFor(range.end)]
  const rows = await selectCalendars(db, { tenant_id: tenantId, ids, from, to, ...rest })
  return { of: new Map(rows.map((row) => [row.id, calendarOf(row)])), lesson_type: lessonTypeOf(rows[0]) }
}

/** An appointment as it would stand: around whom and when to look. What is stored under its id does not count. */
export type Standing = {
  readonly id: string
  readonly instructor_id: string
  readonly student_id: string | null
  readonly lesson_type_id: string
  readonly start_at: string
  readonly end_at: string
  /** Appointments of the same instructor and student that are not stored: they count as if they were. */
  readonly unstored?: readonly CountedAppointment[] | undefined
  /** Changes of instructors that are about to be stored. */
  readonly assumed?: Assumed | undefined
}

/** The agenda by which an appointment is judged, and the calendar versions it was read from. */
export type LoadedAgenda = {
  readonly proposal: Proposal
  readonly agenda: Agenda
  /** The name of the lesson type: the title of an appointment that has none. */
  readonly lesson_type_name: string
  readonly isStudentDeleted: boolean
  /** The class that the lesson would be driven for: the student's; null for theory, which counts for every class. */
  readonly license_class: string | null
  readonly seen: readonly CalendarVersion[]
}

/** Loads the agenda of an appointment. Throws `not_found` if the tenant has no such instructor, student or lesson type. */
export async function requireAgenda(
  db: Database,
  { tenant: { id: tenantId, unit_minutes, timezone }, now }: Pick<Actor, 'tenant' | 'now'>,
  standing: Standing,
): Promise<LoadedAgenda> {
  const { instructor_id, student_id, lesson_type_id, id: except, start_at, end_at, unstored = [] } = standing
  const ids = calendarIdsOf([standing])
  const question = { ids, lesson_type_id, except, now: localNow(now, timezone) }
  for (let range = reachAround(intervalOf(standing)); ; range = widened(range)) {
    const { of, lesson_type } = await loadCalendars(db, tenantId, { ...question, range })
    const [instructor, student] = [of.get(instructor_id), of.get(student_id ?? '')]
    const isStudentUnknown = student_id !== null && (!student || student.rules !== undefined)
    if (!instructor?.rules || !lesson_type || isStudentUnknown) throw notFound()
    const agenda: Agenda = {
      unit_minutes,
      instructor: instructor.rules,
      instructor_appointments: [...instructor.appointments, ...unstored],
      student_appointments: student ? [...student.appointments, ...unstored] : [],
      student_open: student && (student.open_appointments ?? 0) + unstored.length,
    }
    if (!holdsWholeStretch(agenda, standing, range)) continue
    const { name, category, counts_toward_limits } = lesson_type
    return {
      proposal: { start_at, end_at, counts_toward_limits },
      agenda,
      lesson_type_name: name,
      isStudentDeleted: student?.deleted ?? false,
      license_class: category === 'theory' ? null : (student?.license_class ?? null),
      seen: [...of.values()].map(({ id, version }) => ({ id, version })),
    }
  }
}

type LessonTypeRow = CalendarRow & {
  readonly lesson_type_name: string | null
  readonly category: string | null
  readonly counts_toward_limits: boolean | null
}

type CalendarsQuestion = CalendarQuestion & {
  readonly ids: readonly string[]
  readonly lesson_type_id: string
}

const selectCalendars = statement((db, question: Parameters<CalendarsQuestion>) => {
  const { tenant_id, ids, lesson_type_id } = question
  return sql<LessonTypeRow>`
    select ${calendarColumns(question)},
      lesson_type.name as lesson_type_name, lesson_type.category, lesson_type.counts_toward_limits
    from calendars calendar ${calendarJoins(question)}
    left join lesson_types lesson_type on lesson_type.tenant_id = ${tenant_id} and lesson_type.id = ${lesson_type_id}
    where calendar.tenant_id = ${tenant_id} and calendar.id = any(${ids}::uuid[])`.compile(db)
})

function lessonTypeOf(row: LessonTypeRow | undefined): CountingLessonType | undefined {
  if (!row || row.lesson_type_name === null || row.category === null) return undefined
  return {
    name: row.lesson_type_name,
    category: row.category,
    counts_toward_limits: row.counts_toward_limits === true,
  }
}
