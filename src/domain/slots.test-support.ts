import fc from 'fast-check'
import type { Agenda, Proposal } from './agenda.ts'
import { timeFaultsFor } from './appointment-times.ts'
import { type Verdict, verdictOn } from './booking.ts'
import {
  agendaFor,
  calendarOf,
  lessonsOn,
  play,
  type Script,
  scripts,
} from './booking-script.test-support.ts'
import { type Darkness, darknessFor } from './daylight.ts'
import type { SlotCriteria } from './free-intervals.ts'
import { type Day, dayOf, localDateTimeFor, MINUTES_PER_DAY, midnightOf, weekdayOf } from './local-time.ts'
import { absenceOn } from './script-rules.test-support.ts'

/** A school's agendas, on days that may include a clock change, a new year or a leap day, and the criteria of a search. */
export type SearchScene = {
  /** The first day of the calendar. */
  readonly monday: string
  readonly agendas: readonly Agenda[]
  readonly criteria: SlotCriteria
}

const minutesOfDay = (grain: number) =>
  fc.integer({ min: 0, max: MINUTES_PER_DAY / grain }).map((steps) => steps * grain)

const twoTimes = fc.tuple(minutesOfDay(15), minutesOfDay(15)).filter(([one, other]) => one !== other)

/** The skies of schools from the tropics to beyond the polar circles, all on Berlin's clock. */
const skies: fc.Arbitrary<Darkness | undefined> = fc
  .record({
    latitude: fc.integer({ min: -80, max: 80 }),
    longitude: fc.integer({ min: -30, max: 50 }),
    timezone: fc.constant('Europe/Berlin'),
  })
  .map(darknessFor)

/** Generates the criteria of a search around the weekend in the middle of a script's fortnight. */
export function criteriaIn({ monday }: Pick<Script, 'monday'>): fc.Arbitrary<SlotCriteria> {
  const first = midnightOf(dayOf(monday) + 3)
  return fc
    .record({
      minutes: fc.oneof(
        { weight: 6, arbitrary: fc.constantFrom(30, 45, 60, 90, 135) },
        { weight: 2, arbitrary: fc.integer({ min: 1, max: 720 }) },
        fc.integer({ min: 1, max: MINUTES_PER_DAY }),
      ),
      counts_toward_limits: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, fc.constant(false)),
      start: fc.integer({ min: 0, max: 7 * MINUTES_PER_DAY }),
      length: fc.integer({ min: 0, max: 3 * MINUTES_PER_DAY }),
      weekdays: fc.option(fc.subarray([1, 2, 3, 4, 5, 6, 7], { minLength: 4 }), { freq: 2, nil: undefined }),
      hours: fc.option(twoTimes, { freq: 2, nil: undefined }),
      step: fc.constantFrom(15, 15, 15, 5, 7, 30, 45, 60),
      with_overrides: fc.boolean(),
      darkness: fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, skies),
    })
    .map(({ start, length, hours, ...rest }) => ({
      ...rest,
      range: { start: first + start, end: first + start + length },
      hours: hours && { start: Math.min(...hours), end: Math.max(...hours) },
      timezone: 'Europe/Berlin',
    }))
}

/** One to three instructors with all their appointments. */
export const searchScenes: fc.Arbitrary<SearchScene> = fc
  .array(scripts, { minLength: 1, maxLength: 3 })
  .chain(([script, ...others]) => {
    if (!script) throw new Error('there is a script')
    const alike = [script, ...others.filter(({ monday }) => monday === script.monday)]
    const agendas = alike.map((one, index) => {
      const request = { student: 0, proposal: { ...ANYTHING, start_at: '', end_at: '' } }
      const agenda = agendaFor(request, play(one).booked, one)
      return { ...agenda, instructor: { ...agenda.instructor, id: `instructor ${index}` } }
    })
    // Sometimes a pending change gives all of them the rules of one.
    const assumed = fc.option(fc.constantFrom(...alike.map(({ instructor }) => instructor)), {
      freq: 3,
      nil: undefined,
    })
    return fc.record({
      monday: fc.constant(script.monday),
      agendas: fc.tuple(assumed, companyOn(script)).map(([rules, company]) =>
        agendas.map((agenda) => ({
          ...agenda,
          occupied: [...agenda.occupied, ...company],
          ...(rules && { assumed: rules }),
        })),
      ),
      criteria: criteriaIn(script),
    })
  })

/** Generates the vehicles and attendees of a lesson; often none. */
function companyOn(script: Pick<Script, 'monday'>): fc.Arbitrary<Agenda['occupied']> {
  const [calendar, taken] = [calendarOf(script), lessonsOn(script, 15, 10)]
  const vehicle = fc.record({
    active: fc.oneof({ weight: 9, arbitrary: fc.constant(true) }, fc.constant(false)),
    absences: fc.array(absenceOn(calendar, 15), { maxLength: 2 }),
  })
  const some = <T>(one: fc.Arbitrary<T>, maxLength: number) =>
    fc.oneof(fc.constant<T[]>([]), fc.array(one, { maxLength, size: 'max' }))
  return fc
    .record({ attendees: some(taken, 3), vehicles: some(fc.tuple(vehicle, taken), 2) })
    .map(({ attendees, vehicles }) => [
      ...attendees.map((appointments, index) => ({
        kind: 'attendee' as const,
        id: `attendee ${index}`,
        appointments,
      })),
      ...vehicles.map(([rules, appointments], index) => ({
        kind: 'vehicle' as const,
        id: `vehicle ${index}`,
        thing: { id: `vehicle ${index}`, ...rules },
        appointments,
      })),
    ])
}

const ANYTHING = { id: 'asked', counts_toward_limits: true }

/** A start on the grid of a day, and its verdict. */
export type GridStart = {
  readonly start: number
  readonly end: number
  readonly proposal: Proposal
  readonly verdict: Verdict
}

/** Returns every existing start on the day that meets the criteria, with its verdict. */
export function triedOn(day: Day, agenda: Agenda, criteria: SlotCriteria): readonly GridStart[] {
  const { minutes, counts_toward_limits, range, weekdays, hours, step, timezone, darkness } = criteria
  if (weekdays && !weekdays.includes(weekdayOf(day))) return []
  const midnight = midnightOf(day)
  const tried: GridStart[] = []
  for (let start = midnight; start < midnight + MINUTES_PER_DAY; start += step) {
    const end = start + minutes
    const times = { start_at: localDateTimeFor(start), end_at: localDateTimeFor(end) }
    if (start < range.start || end > range.end || timeFaultsFor(times, timezone).length > 0) continue
    if (hours && (start - midnight < hours.start || end - midnight > hours.end)) continue
    if (darkness && !darkness.isDark({ start, end })) continue
    const proposal = { ...times, counts_toward_limits }
    tried.push({ start, end, proposal, verdict: verdictOn(proposal, agenda) })
  }
  return tried
}

/** Whether the rules accept; an override only if the criteria allow it. */
export function isGranted({ refusals, overrides_used }: Verdict, { with_overrides }: SlotCriteria): boolean {
  return refusals.length === 0 && (with_overrides || overrides_used.length === 0)
}
