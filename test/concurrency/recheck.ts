import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Database } from '../../src/db/schema/tables.ts'
import type { Agenda, CountedAppointment, InstructorRules } from '../../src/domain/agenda.ts'
import { occupiedBy } from '../../src/domain/agenda-builder.test-support.ts'
import { brokenRules, calendarFrom } from '../../src/domain/brute-force.test-support.ts'
import { dateAfter, RACING_WEEKS, type RacingSchool } from '../support/races.ts'

/** A lesson that is not cancelled, with only the fields that the rules need. */
type Standing = CountedAppointment & {
  readonly instructor_id: string
  readonly student_id: string | null
  readonly attendees?: readonly { readonly student_id: string }[] | null
  readonly seats?: number | null
}

type BookingData = {
  readonly unit_minutes: number
  readonly instructors: readonly InstructorRules[]
  readonly standing: readonly Standing[]
}

/** Every minute of the weeks of the races, and of the week before and after. */
const calendar = calendarFrom('2040-12-24', 7 * (RACING_WEEKS + 2))

/** Expects that no stored lesson breaks a rule given all the others, counted minute by minute. */
export async function expectLessonsToBeLegal(db: Database, school: RacingSchool): Promise<void> {
  const books = await booksOf(db, school)
  const faults = books.standing.flatMap((lesson) =>
    brokenRules(lesson, agendaBeside(lesson, books), calendar)
      .filter((code) => !school.tightened.has(code))
      .map((code) => `${code}: ${lesson.start_at} to ${lesson.end_at} of ${lesson.instructor_id}`),
  )
  expect(faults).toEqual([])
}

/**
 * Expects that every refused booking breaks the reported rule, given the lessons stored now. Valid only if nothing was
 * moved or deleted and no rule changed, because more lessons never allow more.
 */
export async function expectRefusalsToStand(db: Database, school: RacingSchool): Promise<void> {
  const books = await booksOf(db, school)
  const faults = school.history
    .filter(({ method, answer }) => method === 'POST' && answer.status === 409)
    .map(({ body, answer }) => ({ code: answer.body.code, proposal: proposalFrom(body) }))
    .filter(
      ({ code, proposal }) => !brokenRules(proposal, agendaBeside(proposal, books), calendar).includes(code),
    )
  expect(faults).toEqual([])
}

function proposalFrom(body: unknown): Standing {
  const sent = body as Omit<Standing, 'id' | 'counts_toward_limits'>
  return { ...sent, student_id: sent.student_id ?? null, id: 'proposal', counts_toward_limits: true }
}

/** Returns the agenda of a lesson, with the others within eight days: a week or a break reaches no farther. */
function agendaBeside(lesson: Standing, { standing, instructors, unit_minutes }: BookingData): Agenda {
  const day = lesson.start_at.slice(0, 10)
  const [from, to] = [dateAfter(day, -8), dateAfter(day, 9)]
  const others = standing.filter(({ id, start_at }) => id !== lesson.id && from < start_at && start_at < to)
  const instructor = instructors.find(({ id }) => id === lesson.instructor_id)
  if (!instructor) throw new Error(`instructor ${lesson.instructor_id} is missing`)
  return {
    unit_minutes,
    instructor,
    occupied: occupiedBy(
      others.filter(({ instructor_id }) => instructor_id === lesson.instructor_id),
      others.filter((other) => studentsOf(other).some((id) => studentsOf(lesson).includes(id))),
    ),
    group: lesson.attendees ? { seats: lesson.seats ?? 0, attendees: lesson.attendees.length } : undefined,
  }
}

function studentsOf({ student_id, attendees }: Standing): readonly string[] {
  const ids = [student_id, ...(attendees ?? []).map((one) => one.student_id)]
  return ids.filter((id) => id !== null)
}

async function booksOf(db: Database, { client, tenantId }: RacingSchool): Promise<BookingData> {
  const { rows: standing } = await sql<Standing>`select a.id, instructor_id, student_id,
      case when attendees <> '[]' then attendees end as attendees, a.seats, counts_toward_limits,
      to_char(start_at, 'YYYY-MM-DD HH24:MI') as start_at, to_char(end_at, 'YYYY-MM-DD HH24:MI') as end_at
    from appointments a join lesson_types t on t.tenant_id = a.tenant_id and t.id = a.lesson_type_id
    where a.tenant_id = ${tenantId} and deleted_at is null and status <> 'cancelled'
    order by a.start_at`.execute(db)
  return {
    unit_minutes: (await client.get('/auth/me')).body.tenant.unit_minutes,
    instructors: (await client.get('/instructors')).body,
    standing,
  }
}
