import fc from 'fast-check'
import { expect, it } from 'vitest'
import { timed } from './agenda.ts'
import { instructorWith } from './agenda-builder.test-support.ts'
import { verdictOn, verdictOnTimed } from './booking.ts'
import { countedIn, type ListedAppointment, proposalFor } from './counted.ts'
import { agendaOn } from './daily-agenda.ts'
import type { OwnCalendar } from './lesson-agenda.ts'
import { dayOf, localDateTimeFor, midnightOf } from './local-time.ts'
import { OCCUPANTS, type Occupant } from './occupants.ts'
import { SchoolCalendar, type SchoolSource } from './school-calendar.ts'

const MONDAY = dayOf('2026-03-02')
const NOW = localDateTimeFor(midnightOf(MONDAY) + 600)
const lessonTypes = new Map([['practice', { counts_toward_limits: true }]])

const times = fc.tuple(fc.integer({ min: 12, max: 40 }), fc.constantFrom(30, 90)).map(([step, length]) => {
  const start = midnightOf(MONDAY) + step * 30
  return { start_at: localDateTimeFor(start), end_at: localDateTimeFor(start + length) }
})
const place = fc
  .record({
    instructor_id: fc.constantFrom('Ada', 'Ben'),
    student_id: fc.constantFrom('Cem', 'Dora', null),
    vehicle_ids: fc.constantFrom([], ['van'], ['van', 'trailer']),
    times,
  })
  .map(({ times: { start_at, end_at }, ...whom }) => {
    return { ...whom, lesson_type_id: 'practice', start_at, end_at, status: 'planned' }
  })

/** A lesson that leaves, by its place in the list, and the place that it gets; none if it is cancelled. */
const decision = fc.record({ lesson: fc.nat({ max: 5 }), to: fc.option(place) })

/** Returns the calendars with the lessons that start before a time. All others only count as open. */
function sourceOf(lessons: readonly ListedAppointment[], until = '9999'): SchoolSource {
  const find = ({ kind, id }: Occupant): OwnCalendar => {
    const own = lessons.filter((one) => OCCUPANTS[kind].isIn(one, id))
    const open = own.filter(({ end_at }) => end_at > NOW).length
    return {
      rules: kind === 'instructor' ? instructorWith({ id, max_daily_units: 4 }) : undefined,
      thing: OCCUPANTS[kind].thing && { id, active: true, absences: [] },
      appointments: countedIn(
        own.filter(({ start_at }) => start_at < until),
        lessonTypes,
      ),
      open_appointments: kind === 'student' ? open : undefined,
    }
  }
  return { unit_minutes: 45, now: NOW, find }
}

it('a calendar with decisions gives the agendas of one in which they are stored', () => {
  fc.assert(
    fc.property(
      fc.array(place, { maxLength: 6 }),
      fc.array(decision, { maxLength: 6 }),
      place,
      fc.nat({ max: 6 }),
      (drawn, decisions, proposed, reloadedAt) => {
        const stored = drawn.map((one, index) => ({ ...one, id: `lesson ${index}` }))
        const changed = new SchoolCalendar(sourceOf(stored, NOW))
        const counts = { counts_toward_limits: true }
        const lessons = new Map(stored.map((one) => [one.id, one]))
        for (const [index, { lesson, to }] of decisions.entries()) {
          if (index === reloadedAt) changed.reload(sourceOf(stored))
          // Agendas are asked between decisions, too, so that what is remembered of them must be forgotten.
          changed.timedAgendaFor(proposed)
          changed.dailyAgendaFor(proposed)
          const [before, id] = [lessons.get(`lesson ${lesson}`), `lesson ${lesson}`]
          if (before) changed.remove({ ...before, ...counts })
          lessons.delete(id)
          if (!to) continue
          changed.place({ ...to, ...counts, id })
          lessons.set(id, { ...to, id })
        }
        if (reloadedAt >= decisions.length) {
          changed.timedAgendaFor(proposed)
          changed.dailyAgendaFor(proposed)
          changed.reload(sourceOf(stored))
        }
        const proposal = proposalFor(proposed, lessonTypes)
        const agenda = new SchoolCalendar(sourceOf([...lessons.values()])).agendaFor(proposed)
        const expected = verdictOn(proposal, agenda)
        const asked = changed.agendaFor(proposed)
        expect(asked.student_open).toBe(agenda.student_open)
        // A refusal names the overlapping lesson that starts first, or any of them if several start together.
        const codes = ({ checks, load }: typeof expected) => ({
          checks: checks.map(({ code, refusal }) => [
            code,
            refusal?.params && 'start_at' in refusal.params ? refusal.params.start_at : refusal?.code,
          ]),
          load,
        })
        const daily = agendaOn(MONDAY, changed.dailyAgendaFor(proposed))
        expect(codes(verdictOn(proposal, asked))).toEqual(codes(expected))
        expect(codes(verdictOnTimed(timed(proposal), changed.timedAgendaFor(proposed)))).toEqual(
          codes(expected),
        )
        expect(codes(verdictOn(proposal, daily))).toEqual(codes(expected))
      },
    ),
  )
})
