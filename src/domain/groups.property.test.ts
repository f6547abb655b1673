import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Agenda } from './agenda.ts'
import { agendaWith, instructorWith, lesson } from './agenda-builder.test-support.ts'
import { verdictOn } from './booking.ts'
import { brokenRules, calendarFrom } from './brute-force.test-support.ts'
import { type ListedAppointment, proposalFor } from './counted.ts'
import { dailyAgendaFor } from './daily-agenda.ts'
import { freeIntervalsOn } from './free-intervals.ts'
import { calendarOf } from './listed-calendar.ts'
import { dayOf, localDateTimeFor, midnightOf } from './local-time.ts'

const MONDAY = dayOf('2026-03-02')
const STEP = 30
const PEOPLE = ['ada', 'ben', 'cem', 'dua']
const calendar = calendarFrom('2026-02-23', 21)
const minute = fc.integer({ min: 0, max: 47 }).map((steps) => midnightOf(MONDAY) + steps * STEP)
const person = fc.constantFrom(...PEOPLE)

/** Lessons of one student and groups of several, with two instructors. They may overlap. */
const listed = fc
  .record({
    start: minute,
    length: fc.constantFrom(30, 90, 240),
    who: fc.oneof(
      person.map((student_id) => ({ student_id, attendees: [] })),
      fc.uniqueArray(person, { maxLength: 4 }).map((ids) => ({
        student_id: null,
        attendees: ids.map((student_id) => ({ student_id })),
      })),
    ),
    instructor_id: fc.constantFrom('instructor', 'other'),
    status: fc.constantFrom('planned', 'planned', 'completed', 'cancelled'),
    seats: fc.constantFrom(null, 1, 2, 3, 4),
  })
  .map(({ start, length, who, ...rest }) => ({
    ...who,
    ...rest,
    lesson_type_id: 'theory',
    start_at: localDateTimeFor(start),
    end_at: localDateTimeFor(start + length),
  }))
const books = fc
  .array(listed, { maxLength: 6 })
  .map((drawn) => drawn.map((one, index): ListedAppointment => ({ ...one, id: `lesson ${index}` })))
const types = fc
  .constantFrom(2, 3, 20)
  .map((seats) => new Map([['theory', { counts_toward_limits: true, seats }]]))

/** Returns the students of an appointment, computed without the code under test. */
const studentsOf = ({ student_id, attendees = [] }: Pick<ListedAppointment, 'student_id' | 'attendees'>) =>
  new Set([...(student_id === null ? [] : [student_id]), ...attendees.map((one) => one.student_id)])

describe('random groups of students', () => {
  it('the verdict matches a brute-force count and reports the first busy student', () => {
    fc.assert(
      fc.property(listed, books, types, (proposed, appointments, lessonTypes) => {
        const instructor = instructorWith()
        const rulesOf = () => ({ rules: instructor })
        const proposal = proposalFor(proposed, lessonTypes)
        const school = { unit_minutes: 45, rulesOf, lessonTypes, appointments }
        const { refusals } = verdictOn(
          proposal,
          calendarOf(school).agendaFor({ ...proposed, instructor_id: instructor.id }),
        )
        const standing = appointments.filter(({ status }) => status !== 'cancelled')
        const sharing = (ids: ReadonlySet<string>) =>
          standing
            .filter((other) => [...studentsOf(other)].some((id) => ids.has(id)))
            .map((other) => lesson(other.start_at, other.end_at, { id: other.id }))
        const own = standing.filter(({ instructor_id }) => instructor_id === 'instructor')
        const counted = agendaWith({
          booked: own.map(({ id, start_at, end_at }) => lesson(start_at, end_at, { id })),
          student: sharing(studentsOf(proposed)),
        })
        const seats = proposed.seats ?? lessonTypes.get('theory')?.seats ?? 0
        const group =
          proposed.attendees.length > 0 ? { seats, attendees: proposed.attendees.length } : undefined
        const broken = brokenRules(proposal, { ...counted, group }, calendar)
        expect(refusals.map(({ code }) => code)).toEqual(broken)
        const busy = refusals.find(({ code }) => code === 'student_busy')
        const overlapping = (id: string) =>
          sharing(new Set([id])).filter(
            ({ start_at, end_at }) => start_at < proposed.end_at && proposed.start_at < end_at,
          )
        const first = proposed.attendees.find(({ student_id }) => overlapping(student_id).length > 0)
        expect(busy?.params).toEqual(
          busy && expect.objectContaining(first ?? { appointment_id: expect.any(String) }),
        )
      }),
      { numRuns: 300 },
    )
  })

  it('the starts of a day are those at which every student is free', () => {
    const calendars = fc.array(fc.array(fc.tuple(minute, fc.constantFrom(30, 90)), { maxLength: 2 }), {
      minLength: 1,
      maxLength: 4,
    })
    fc.assert(
      fc.property(calendars, fc.constantFrom(30, 90), (drawn, minutes) => {
        const plain = agendaWith({})
        const students = drawn.map((times, index) => ({
          kind: 'attendee' as const,
          id: PEOPLE[index] ?? '',
          appointments: times.map(([start, length]) =>
            lesson(localDateTimeFor(start), localDateTimeFor(start + length)),
          ),
        }))
        const agenda: Agenda = { ...plain, occupied: [...plain.occupied, ...students] }
        const criteria = {
          minutes,
          counts_toward_limits: true,
          range: { start: midnightOf(MONDAY), end: midnightOf(MONDAY + 1) },
          step: STEP,
          with_overrides: true,
          timezone: 'Europe/Berlin',
        }
        const starts = freeIntervalsOn(MONDAY, dailyAgendaFor(agenda), criteria).map(({ start }) => start)
        const accepted = Array.from(
          { length: 1440 / STEP },
          (_, at) => midnightOf(MONDAY) + at * STEP,
        ).filter(
          (start) =>
            start + minutes <= midnightOf(MONDAY + 1) &&
            drawn.flat().every(([from, length]) => from + length <= start || start + minutes <= from),
        )
        expect(starts).toEqual(accepted)
      }),
      { numRuns: 300 },
    )
  })
})
