import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rounds } from '../../test/support/rounds.ts'
import { type Agenda, type AvailabilityWindow, instructorAppointmentsOf } from './agenda.ts'
import { calendarOf } from './booking-script.test-support.ts'
import { brokenRules } from './brute-force.test-support.ts'
import { dailyAgendaFor } from './daily-agenda.ts'
import { freeIntervalsOn, gapsAround, type SlotCriteria } from './free-intervals.ts'
import { dayOfMinute, minuteOf } from './local-time.ts'
import { isGranted, type SearchScene, searchScenes, triedOn } from './slots.test-support.ts'
import { firstSlots, nearestSlots, type SlotOrder, type SlotSearch } from './slots.ts'
import { completed } from './steps.ts'

const RUNS = { numRuns: rounds(600) }
const PATIENCE = { timeout: 120_000 }
const ALL = { limit: Number.POSITIVE_INFINITY }

const daysOf = ({ range }: SlotCriteria) => {
  const first = dayOfMinute(range.start)
  return Array.from({ length: dayOfMinute(range.end) - first + 1 }, (_, index) => first + index)
}

const searchOf = ({ agendas, criteria }: SearchScene, preferred: number | undefined): SlotSearch => ({
  dailyAgendas: agendas.map((agenda) => dailyAgendaFor(agenda)),
  criteria,
  preferred_instructor_id: preferred === undefined ? null : `instructor ${preferred}`,
})

const shortestLessons = fc.constantFrom(null, 45, 60)
const orders: fc.Arbitrary<SlotOrder> = fc.oneof(
  fc.constant({ by: 'time' as const }),
  fc.record({ by: fc.constant('fit' as const), shortest_minutes: shortestLessons }),
)
const preferences = fc.option(fc.nat({ max: 2 }), { nil: undefined })

describe('a search for free times', { ...PATIENCE, tags: 'rounds' }, () => {
  it('finds exactly the starts on the grid that the rules accept', () => {
    fc.assert(
      fc.property(searchScenes, ({ agendas, criteria }) => {
        for (const agenda of agendas) {
          const dailyAgenda = dailyAgendaFor(agenda)
          for (const day of daysOf(criteria)) {
            const granted = triedOn(day, agenda, criteria).filter(({ verdict }) =>
              isGranted(verdict, criteria),
            )
            expect(
              freeIntervalsOn(day, dailyAgenda, criteria).map(({ start, end }) => ({ start, end })),
            ).toEqual(granted.map(({ start, end }) => ({ start, end })))
          }
        }
      }),
      RUNS,
    )
  })

  it('finds exactly the starts at which a brute-force minute count finds no broken rule', () => {
    fc.assert(
      fc.property(searchScenes, ({ monday, agendas, criteria: drawn }) => {
        const criteria = { ...drawn, with_overrides: true }
        const calendar = calendarOf({ monday })
        for (const agenda of agendas) {
          const { assumed } = agenda
          const rules = [agenda, ...(assumed ? [{ ...agenda, instructor: assumed }] : [])]
          for (const day of daysOf(criteria)) {
            const counted = triedOn(day, agenda, criteria).filter(({ proposal }) =>
              rules.every((one) => brokenRules(proposal, one, calendar).length === 0),
            )
            expect(freeIntervalsOn(day, dailyAgendaFor(agenda), criteria).map(({ start }) => start)).toEqual(
              counted.map(({ start }) => start),
            )
          }
        }
      }),
      { numRuns: rounds(40) },
    )
  })

  it('finds under a warning of busy times the starts that a refusal leaves, and under `ignore` all others too', () => {
    fc.assert(
      fc.property(searchScenes, ({ agendas, criteria }) => {
        for (const agenda of agendas) {
          const startsUnder = (busy_calendars: Agenda['busy_calendars']) =>
            daysOf(criteria).flatMap((day) =>
              freeIntervalsOn(day, dailyAgendaFor({ ...agenda, busy_calendars }), criteria).map(
                ({ start }) => start,
              ),
            )
          const free = { ...agenda, instructor: { ...agenda.instructor, busy_times: [] } }
          const assumed = agenda.assumed && { ...agenda.assumed, busy_times: [] }
          const all = daysOf(criteria).flatMap((day) =>
            freeIntervalsOn(day, dailyAgendaFor({ ...free, assumed }), criteria).map(({ start }) => start),
          )
          expect(startsUnder('warn')).toEqual(startsUnder('refuse'))
          expect(startsUnder('ignore')).toEqual(all)
        }
      }),
      RUNS,
    )
  })

  it('lists all accepted starts in order, with the overrides they use', () => {
    fc.assert(
      fc.property(searchScenes, preferences, orders, (scene, preferred, order) => {
        const search = searchOf(scene, preferred)
        const found = completed(firstSlots(search, order, ALL))
        const expected = scene.agendas.flatMap((agenda) =>
          daysOf(scene.criteria)
            .flatMap((day) => triedOn(day, agenda, scene.criteria))
            .filter(({ verdict }) => isGranted(verdict, scene.criteria))
            .map(({ start, verdict }) => ({ id: agenda.instructor.id, start, used: verdict.overrides_used })),
        )
        const key = ({ id, start }: { id: string; start: number }) => `${start} ${id}`
        const byKey = <T extends { id: string; start: number }>(all: readonly T[]) =>
          all.toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
        const told = found.map(({ dailyAgenda, start, overrides_used }) => ({
          id: dailyAgenda.agenda.instructor.id,
          start,
          used: overrides_used,
        }))
        expect(byKey(told)).toEqual(byKey(expected))
        for (const [index, next] of found.entries()) {
          const last = found[index - 1]
          if (last)
            expect(last.fit - next.fit || last.start - next.start || last.place - next.place).toBeLessThan(0)
        }
      }),
      RUNS,
    )
  })

  it('lists the same slots page by page as in one call', () => {
    fc.assert(
      fc.property(
        searchScenes,
        preferences,
        orders,
        fc.integer({ min: 1, max: 40 }),
        (scene, preferred, order, limit) => {
          const search = searchOf(scene, preferred)
          const whole = completed(firstSlots(search, order, { limit: 200 }))
          const paged = []
          for (let after = undefined as (typeof whole)[number] | undefined; paged.length < whole.length; ) {
            const page = completed(firstSlots(search, order, { after, limit }))
            expect(page.length).toBeGreaterThan(0)
            paged.push(...page)
            after = page.at(-1)
          }
          const named = (slots: typeof whole) => slots.map(({ start, place, fit }) => [fit, start, place])
          expect(named(paged.slice(0, 200))).toEqual(named(whole))
        },
      ),
      RUNS,
    )
  })

  it('returns the three nearest starts, those with a useless remainder as if half an hour farther', () => {
    fc.assert(
      fc.property(
        searchScenes,
        fc.integer({ min: -1440, max: 6000 }),
        shortestLessons,
        (scene, shift, shortest) => {
          const search = searchOf(scene, undefined)
          const asked = scene.criteria.range.start + shift
          const order = { by: 'fit', shortest_minutes: shortest } as const
          const all = completed(firstSlots(search, order, ALL)).map(({ fit, start, place }) => {
            const isUseless = fit % 2 === 1
            return { start, place, isUseless, distance: Math.abs(start - asked) }
          })
          const keyOf = ({ start, place }: { start: number; place: number }) => `${start} ${place}`
          const known = new Map(all.map((one) => [keyOf(one), one]))
          const found = completed(nearestSlots(search, asked, { limit: 3, shortest_minutes: shortest }))
          const chosen = found.flatMap((one) => known.get(keyOf(one)) ?? [])
          expect(new Set(chosen).size).toBe(Math.min(3, all.length))
          expect(found.length).toBe(chosen.length)
          const counted = (one: (typeof all)[number]) => one.distance + (one.isUseless ? 30 : 0)
          const nearest = all.map(counted).toSorted((a, b) => a - b)
          expect(chosen.map(counted)).toEqual(nearest.slice(0, 3))
          const left = all.filter((one) => !chosen.includes(one))
          for (const one of chosen.filter(({ isUseless }) => isUseless))
            expect(left.filter((other) => !other.isUseless && other.distance <= one.distance + 30)).toEqual(
              [],
            )
        },
      ),
      RUNS,
    )
  })

  it('reports the free minutes on both sides, up to an appointment or the end of work', () => {
    fc.assert(
      fc.property(searchScenes, ({ agendas, criteria }) => {
        for (const agenda of agendas) {
          const dailyAgenda = dailyAgendaFor(agenda)
          for (const freeInterval of daysOf(criteria).flatMap((day) =>
            freeIntervalsOn(day, dailyAgenda, criteria),
          )) {
            const { before, after } = gapsAround(freeInterval, dailyAgenda)
            expect(before.minutes).toBe(walked(freeInterval.start - 1, -1, freeInterval, agenda))
            expect(after.minutes).toBe(walked(freeInterval.end, 1, freeInterval, agenda))
          }
        }
      }),
      { numRuns: rounds(40) },
    )
  })
})

/** Counts the minutes from `from` on that the instructor works and is free, on the day of the free interval. */
function walked(
  from: number,
  step: 1 | -1,
  freeInterval: { start: number; end: number },
  agenda: Agenda,
): number {
  const day = dayOfMinute(step === 1 ? freeInterval.end - 1 : freeInterval.start)
  const { availability_windows: windows, absences = [], busy_times = [] } = agenda.instructor
  const isFree = (minute: number) => {
    if (dayOfMinute(minute) !== day) return false
    const [date = '', time = ''] = new Date(minute * 60_000).toISOString().slice(0, 16).split('T')
    const weekday = new Date(minute * 60_000).getUTCDay() || 7
    const isValid = ({ valid_from, valid_to }: AvailabilityWindow) =>
      (valid_from ?? date) <= date && date <= (valid_to ?? date)
    const isOpen = windows.some(
      (one) => one.weekday === weekday && one.start <= time && time < one.end && isValid(one),
    )
    const isAway = [...absences, ...busy_times].some(
      ({ start_at, end_at }) => start_at <= `${date} ${time}` && `${date} ${time}` < end_at,
    )
    const isBusy = instructorAppointmentsOf(agenda).some(
      ({ start_at, end_at }) => minuteOf(start_at) <= minute && minute < minuteOf(end_at),
    )
    return (windows.length === 0 || isOpen) && !isBusy && !isAway
  }
  let minutes = 0
  for (let minute = from; isFree(minute); minute += step) minutes += 1
  return minutes
}

it('the generated scenes break every rule and accept many starts', PATIENCE, () => {
  const verdicts = fc
    .sample(searchScenes, { numRuns: 300, seed: 1 })
    .flatMap(({ agendas, criteria }) =>
      agendas.flatMap((agenda) => daysOf(criteria).flatMap((day) => triedOn(day, agenda, criteria))),
    )
  const times = Map.groupBy(verdicts, ({ verdict }) => verdict.refusals[0]?.code ?? 'accepted')
  expect(times.size).toBe(16)
  for (const [code, { length }] of times) expect(length, code).toBeGreaterThan(50)
  expect(verdicts.filter(({ verdict }) => verdict.overrides_used.length > 0).length).toBeGreaterThan(100)
})
