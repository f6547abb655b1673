import { sql } from 'kysely'
import type { Actor } from '../contract/actor.ts'
import { notFound } from '../contract/problem.ts'
import type { Agenda } from '../domain/agenda.ts'
import type { Interval } from '../domain/interval.ts'
import { localDateTimeFor } from '../domain/local-time.ts'
import { localNow } from '../domain/time-zone.ts'
import type { Learning } from '../domain/warnings.ts'
import {
  type CalendarQuestion,
  type CalendarRow,
  calendarColumns,
  calendarJoins,
  calendarOf,
} from './calendar-rows.ts'
import { lessonMinutes, openingOf, requirementObject } from './progress.ts'
import { type Parameters, statement } from './statement.ts'
import type { Database } from './tables.ts'

/** The instructors whose agendas to load, the student beside them, and the range, without the appointment `except`. */
export type AgendasRequest = {
  /** All who are active, unless they are named. */
  readonly instructor_ids: readonly string[] | undefined
  readonly student_id: string | null
  readonly lesson_type_id: string | null
  readonly range: Interval
  readonly except?: string
}

/** A student as far as a search for times asks. */
export type Learner = Learning & {
  readonly deleted: boolean
  readonly preferred_instructor_id: string | null
}

export type TaughtLessonType = {
  readonly id: string
  readonly category: string
  readonly default_minutes: number
  readonly counts_toward_limits: boolean
  readonly needs_student: boolean
  readonly only_in_the_dark: boolean
}

/** Agendas of instructors over a range, by name, and what else a search for times asks. */
export type LoadedAgendas = {
  readonly instructors: readonly { readonly agenda: Agenda; readonly license_classes: readonly string[] }[]
  readonly learner: Learner | undefined
  readonly lesson_type: TaughtLessonType | undefined
  /** The smallest default length of a lesson type that counts toward limits; null if there is none. */
  readonly shortest_minutes: number | null
}

/** The id of nothing. */
const NOTHING = '00000000-0000-0000-0000-000000000000'

/**
 * Loads agendas in one statement: one state of them all. Throws `not_found` if the tenant has no such instructor, student
 * or lesson type.
 */
export async function requireAgendas(
  db: Database,
  { tenant: { id: tenant_id, unit_minutes, timezone }, now }: Pick<Actor, 'tenant' | 'now'>,
  { instructor_ids, student_id, lesson_type_id, range, except = NOTHING }: AgendasRequest,
): Promise<LoadedAgendas> {
  const [from, to] = [localDateTimeFor(range.start), localDateTimeFor(range.end)]
  const ids = { instructor_ids, student_id: student_id ?? undefined, lesson_type_id }
  const question = { tenant_id, ...ids, from, to, except, now: localNow(now, timezone) }
  const rows = await selectAgendas(db, question)
  const calendars = new Map(rows.filter(({ id }) => id !== null).map((row) => [row.id, calendarOf(row)]))
  const { learner = null, lesson_type = null, shortest_minutes = null } = rows[0] ?? {}
  const isUnknown = instructor_ids?.some((id) => !calendars.get(id)?.rules)
  if (isUnknown || (student_id && !learner) || (lesson_type_id && !lesson_type)) throw notFound()
  const student = calendars.get(student_id ?? '')
  const { appointments: student_appointments = [], open_appointments: student_open } = student ?? {}
  const instructors = rows.flatMap(({ id, license_classes }) => {
    const { rules: instructor, appointments: instructor_appointments = [] } = calendars.get(id) ?? {}
    if (!instructor) return []
    return {
      agenda: { unit_minutes, instructor, instructor_appointments, student_appointments, student_open },
      license_classes,
    }
  })
  return {
    instructors,
    learner: learner ?? undefined,
    lesson_type: lesson_type ?? undefined,
    shortest_minutes,
  }
}

/** A calendar, if there is any, and in every row what the search is about. */
type AgendaRow = CalendarRow & {
  readonly license_classes: readonly string[]
  readonly learner: Learner | null
  readonly lesson_type: TaughtLessonType | null
  readonly shortest_minutes: number | null
}

type AgendasQuestion = CalendarQuestion & {
  readonly instructor_ids?: readonly string[] | undefined
  readonly student_id?: string | undefined
  readonly lesson_type_id: string | null
}

const selectAgendas = statement((db, question: Parameters<AgendasQuestion>) => {
  const { tenant_id, instructor_ids, student_id, lesson_type_id } = question
  const chosen = instructor_ids
    ? sql`${instructor_ids}::uuid[]`
    : sql`array(select id from instructors where tenant_id = ${tenant_id} and active)`
  const student = student_id ? sql`array[${student_id}::uuid]` : sql`array[]::uuid[]`
  return sql<AgendaRow>`
    select ${calendarColumns(question)}, instructor.license_classes,
      ${student_id ? learnerOf(question) : sql`null`} as learner,
      (select json_build_object('id', id, 'category', category, 'default_minutes', default_minutes,
          'counts_toward_limits', counts_toward_limits, 'needs_student', needs_student,
          'only_in_the_dark', only_in_the_dark)
        from lesson_types where tenant_id = ${tenant_id} and id = ${lesson_type_id}::uuid) as lesson_type,
      (select coalesce(min(default_minutes) filter (where not hidden), min(default_minutes)) from lesson_types
        where tenant_id = ${tenant_id} and counts_toward_limits) as shortest_minutes
    from tenants tenant
    left join calendars calendar on calendar.tenant_id = ${tenant_id}
      and calendar.id = any(${chosen} || ${student})
    ${calendarJoins(question)}
    where tenant.id = ${tenant_id}
    order by instructor.last_name, instructor.first_name, calendar.id`.compile(db)
})

/** The student, if the tenant has it, with the other lessons that count toward the same requirement. The rule looks at them, not SQL. */
function learnerOf({ tenant_id, student_id, lesson_type_id, except }: Parameters<AgendasQuestion>) {
  const alike = sql`array(
    select other.id from lesson_types other, lesson_types asked
    where other.tenant_id = ${tenant_id} and asked.tenant_id = ${tenant_id} and asked.id = ${lesson_type_id}::uuid
      and (other.id = asked.id or other.requirement_key = asked.requirement_key))`
  return sql`(
    select json_build_object(
      'deleted', learner.deleted_at is not null,
      'preferred_instructor_id', learner.preferred_instructor_id,
      'license_class_template_id', learner.license_class_template_id,
      'license_class', template.license_class,
      'requirement', (
        select ${requirementObject} from template_requirements requirement
        join lesson_types named on named.tenant_id = ${tenant_id} and named.id = requirement.lesson_type_id
        where requirement.tenant_id = ${tenant_id} and license_class_template_id = template.id
          and requirement.lesson_type_id = any(${alike})
        order by requirement.position limit 1),
      'opening', ${openingOf(tenant_id)},
      'lessons', (
        select coalesce(json_agg(json_build_object('lesson_type_id', lesson_type_id,
          'requirement_key', taught.requirement_key, 'license_class', appointments.license_class,
          'status', status, 'minutes', ${lessonMinutes}, 'count', 1))
          filter (where appointments.deleted_at is null), '[]')
        from appointments
        join lesson_types taught on taught.tenant_id = ${tenant_id} and taught.id = appointments.lesson_type_id
        where appointments.tenant_id = ${tenant_id} and student_id = learner.id and lesson_type_id = any(${alike})
          and appointments.id <> ${except}))
    from students learner
    left join license_class_templates template
      on template.tenant_id = ${tenant_id} and template.id = learner.license_class_template_id
    where learner.tenant_id = ${tenant_id} and learner.id = ${student_id}::uuid)`
}
