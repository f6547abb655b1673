import fc from 'fast-check'
import type { Agenda, Closure, CountedAppointment, Holiday, InstructorRules } from './agenda.ts'
import { occupiedBy } from './agenda-builder.test-support.ts'
import { refusalFor } from './booking.ts'
import { type Calendar, calendarFrom } from './brute-force.test-support.ts'
import { DAY, daysOff, instructorOn, textAt } from './script-rules.test-support.ts'

/** A sequence of booking requests. Accepted ones are booked and count for the next. */
export type Script = {
  /** The first day, by which `calendarOf` finds the calendar: it is too long to print when a test fails. */
  readonly monday: string
  readonly unit_minutes: number
  readonly instructor: InstructorRules
  readonly closures: readonly Closure[]
  /** Public holidays that the school refuses. */
  readonly holidays: readonly Holiday[]
  /** Lessons booked under earlier rules. They may break any rule, but do not overlap. */
  readonly inherited: readonly CountedAppointment[]
  /** Lessons of each student with other instructors. */
  readonly elsewhere: readonly (readonly CountedAppointment[])[]
  readonly requests: readonly Request[]
}
export type Request = { readonly proposal: CountedAppointment; readonly student: number | null }
export type Turn = { readonly request: Request; readonly agenda: Agenda }

/** A lesson in minutes of the calendar. */
type Slot = { readonly start: number; readonly length: number; readonly counts_toward_limits: boolean }

/** Mondays whose two weeks include ends of months and years, week 53, a leap day and both clock changes. */
const MONDAYS = ['2026-03-02', '2026-03-23', '2026-10-19', '2026-12-21', '2026-12-28', '2028-02-21']
const calendars = new Map<string, Calendar>()

export function calendarOf({ monday }: { readonly monday: string }): Calendar {
  const calendar = calendars.get(monday) ?? calendarFrom(monday, 18)
  calendars.set(monday, calendar)
  return calendar
}

export const scripts: fc.Arbitrary<Script> = fc
  .record({ monday: fc.constantFrom(...MONDAYS), grain: fc.constantFrom(5, 15) })
  .chain(({ monday, grain }) => {
    const calendar = calendarOf({ monday })
    const lessons = (maxLength: number) => lessonsOn({ monday }, grain, maxLength)
    return fc.record({
      monday: fc.constant(monday),
      unit_minutes: fc.constantFrom(45, 50, 60),
      instructor: instructorOn(calendar, grain),
      closures: fc.oneof(
        { weight: 2, arbitrary: fc.constant([]) },
        fc.array(daysOff(calendar), { maxLength: 2 }),
      ),
      holidays: fc.oneof(
        { weight: 2, arbitrary: fc.constant([]) },
        fc.array(
          daysOff(calendar).map(({ start_date: date }) => ({ date, name: date })),
          { maxLength: 2 },
        ),
      ),
      inherited: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, lessons(4)),
      elsewhere: fc.tuple(lessons(5), lessons(5)),
      requests: requestsOn(calendar, grain),
    })
  })

/** Generates lessons of one person or vehicle that do not overlap. */
export function lessonsOn(
  { monday }: Pick<Script, 'monday'>,
  grain: number,
  maxLength: number,
): fc.Arbitrary<readonly CountedAppointment[]> {
  return fc
    .array(slotOn(grain), { maxLength, size: 'max' })
    .map((slots) => withoutOverlaps(slots.map((slot) => lessonAt(slot, calendarOf({ monday })))))
}

/** Books the requests in order, as a school would. */
export function play(script: Script): {
  readonly turns: readonly Turn[]
  readonly booked: readonly Request[]
} {
  const booked: Request[] = []
  const turns = script.requests.map((request) => {
    const agenda = agendaFor(request, booked, script)
    if (refusalFor(request.proposal, agenda) === undefined) booked.push(request)
    return { request, agenda }
  })
  return { turns, booked }
}

/** Returns the agenda for the instructor and the request's student. */
export function agendaFor(
  { student, proposal }: Request,
  booked: readonly Request[],
  script: Script,
): Agenda {
  const others = booked.filter((other) => other.proposal !== proposal)
  const ofStudent = others.filter((other) => student !== null && other.student === student)
  const elsewhere = (student !== null && script.elsewhere[student]) || []
  return {
    unit_minutes: script.unit_minutes,
    instructor: script.instructor,
    busy_calendars: 'refuse',
    closed: {
      holidayOn: (asked) => script.holidays.find(({ date }) => date === asked),
      closures: script.closures,
    },
    occupied: occupiedBy(
      [...script.inherited, ...others.map((other) => other.proposal)],
      [...elsewhere, ...ofStudent.map((other) => other.proposal)],
    ),
  }
}

/** Generates requests: a third at any time, the others close to the previous one, so that they form chains. */
function requestsOn(calendar: Calendar, grain: number): fc.Arbitrary<readonly Request[]> {
  const request = fc.record({
    slot: slotOn(grain),
    student: fc.option(fc.nat({ max: 1 }), { freq: 2 }),
    besideLast: fc.option(fc.record({ gap: fc.constantFrom(0, 0, 5, 10, 10, 15, 30), after: fc.boolean() }), {
      freq: 2,
    }),
  })
  return fc.array(request, { minLength: 1, maxLength: 14, size: 'max' }).map((all) => {
    const slots: Slot[] = []
    return all.map(({ slot, student, besideLast }, index) => {
      const start = besideLast ? startBeside(slots.at(-1), slot, besideLast) : slot.start
      const placed = start >= 0 && start < 14 * DAY ? { ...slot, start } : slot
      slots.push(placed)
      return { student, proposal: { ...lessonAt(placed, calendar), id: `${index}` } }
    })
  })
}

function startBeside(
  last: Slot | undefined,
  { start, length }: Slot,
  { gap, after }: { readonly gap: number; readonly after: boolean },
): number {
  if (!last) return start
  return after ? last.start + last.length + gap : last.start - gap - length
}

/** Generates lessons mostly by day and near a weekend, so that they meet; some at night, up to twelve hours long. */
function slotOn(grain: number): fc.Arbitrary<Slot> {
  const hours = (from: number, to: number) =>
    fc.integer({ min: (from * 60) / grain, max: (to * 60) / grain - 1 }).map((steps) => steps * grain)
  return fc
    .record({
      day: fc.constantFrom(0, 4, 5, 6, 6, 7, 7, 8, 13),
      time: fc.oneof({ weight: 2, arbitrary: hours(8, 14) }, hours(0, 24), hours(21, 24)),
      length: fc.oneof(
        { weight: 5, arbitrary: hours(0.5, 1.5) },
        { weight: 2, arbitrary: hours(1.5, 4) },
        hours(4, 12),
      ),
      counts_toward_limits: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, fc.constant(false)),
    })
    .map(({ day, time, ...rest }) => ({ ...rest, start: day * DAY + time }))
}

function lessonAt({ start, length, counts_toward_limits }: Slot, calendar: Calendar): CountedAppointment {
  const start_at = textAt(calendar, start)
  return { id: start_at, start_at, end_at: textAt(calendar, start + length), counts_toward_limits }
}

function withoutOverlaps(lessons: readonly CountedAppointment[]): readonly CountedAppointment[] {
  return lessons.filter((one, index) =>
    lessons.slice(0, index).every((other) => one.end_at <= other.start_at || other.end_at <= one.start_at),
  )
}
