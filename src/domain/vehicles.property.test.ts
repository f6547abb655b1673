import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Agenda, ThingRules } from './agenda.ts'
import { agendaWith, lesson } from './agenda-builder.test-support.ts'
import { verdictOn } from './booking.ts'
import { dailyAgendaFor, takenBy } from './daily-agenda.ts'
import { freeIntervalsOn, type SlotCriteria } from './free-intervals.ts'
import { type Day, dayOf, localDateTimeFor, midnightOf } from './local-time.ts'
import { firstSlots } from './slots.ts'
import { completed } from './steps.ts'

const MONDAY: Day = dayOf('2026-03-02')
const STEP = 30
const minute = fc.integer({ min: -96, max: 144 }).map((steps) => midnightOf(MONDAY) + steps * 15)

/** Appointments of one calendar that do not overlap. */
const appointments = fc
  .array(fc.tuple(minute, fc.constantFrom(30, 45, 90, 240)), { maxLength: 5 })
  .map((drawn) => {
    const all = drawn.map(([start, length]) =>
      lesson(localDateTimeFor(start), localDateTimeFor(start + length)),
    )
    return all.filter((one, at) =>
      all.slice(0, at).every((other) => one.end_at <= other.start_at || other.end_at <= one.start_at),
    )
  })

const vehicle = fc.record({
  active: fc.oneof({ weight: 6, arbitrary: fc.constant(true) }, fc.constant(false)),
  // Long absences begin days before and end days later.
  absences: fc.array(
    fc.tuple(minute, fc.constantFrom(60, 600, 20_000)).map(([start, length]) => ({
      start_at: localDateTimeFor(start - (length > 1440 ? 10_000 : 0)),
      end_at: localDateTimeFor(start + length),
    })),
    { maxLength: 2 },
  ),
  appointments,
})
type Drawn = {
  active: boolean
  absences: ThingRules['absences']
  appointments: ReturnType<typeof lesson>[]
}

const scenes = fc.record({
  own: appointments,
  vehicles: fc.array(vehicle, { maxLength: 3 }),
  minutes: fc.constantFrom(30, 45, 90),
})

const occupiedBy = ({ appointments: taken, ...rules }: Drawn, index: number) => ({
  kind: 'vehicle' as const,
  id: `vehicle ${index}`,
  thing: { id: `vehicle ${index}`, ...rules },
  appointments: taken,
})

function criteriaFor(minutes: number): SlotCriteria {
  return {
    minutes,
    counts_toward_limits: true,
    range: { start: midnightOf(MONDAY), end: midnightOf(MONDAY + 1) },
    step: STEP,
    with_overrides: true,
    timezone: 'Europe/Berlin',
  }
}

const startsOn = (minutes: number) =>
  Array.from({ length: 1440 / STEP }, (_, index) => midnightOf(MONDAY) + index * STEP).filter(
    (start) => start + minutes <= midnightOf(MONDAY + 1),
  )
const proposalAt = (start: number, minutes: number) =>
  lesson(localDateTimeFor(start), localDateTimeFor(start + minutes))

/** Checks the rule minute by minute. Returns the codes in order, each with its vehicle. */
function brokenBy(start: number, minutes: number, vehicles: readonly Drawn[]): readonly string[] {
  const own = Array.from({ length: minutes }, (_, index) => localDateTimeFor(start + index))
  const isIn = (times: readonly { start_at: string; end_at: string }[]) =>
    times.some(({ start_at, end_at }) => own.some((at) => start_at <= at && at < end_at))
  const named = (code: string, isBroken: (one: Drawn) => boolean) =>
    vehicles.flatMap((one, index) => (isBroken(one) ? [`${code} ${index}`] : []))
  return [
    ...named('vehicle_inactive', ({ active }) => !active),
    ...named('vehicle_absent', ({ absences }) => isIn(absences)),
    ...named('vehicle_busy', ({ appointments: taken }) => isIn(taken)),
  ]
}

describe('random vehicles and appointments', () => {
  it('the verdict lists exactly the rules broken in a minute-by-minute check', () => {
    fc.assert(
      fc.property(scenes, minute, ({ vehicles, minutes }, start) => {
        const plain = agendaWith({})
        const agenda: Agenda = { ...plain, occupied: [...plain.occupied, ...vehicles.map(occupiedBy)] }
        const { refusals } = verdictOn(proposalAt(start, minutes), agenda)
        const named = refusals.map(
          ({ code, params }) => `${code} ${'vehicle_id' in params && params.vehicle_id.slice(8)}`,
        )
        expect(named).toEqual(brokenBy(start, minutes, vehicles))
      }),
    )
  })

  it('the starts of a day are those that the verdict accepts', () => {
    fc.assert(
      fc.property(scenes, ({ own, vehicles, minutes }) => {
        const plain = agendaWith({ booked: own })
        const agenda: Agenda = { ...plain, occupied: [...plain.occupied, ...vehicles.map(occupiedBy)] }
        const starts = freeIntervalsOn(MONDAY, dailyAgendaFor(agenda), criteriaFor(minutes)).map(
          ({ start }) => start,
        )
        const accepted = startsOn(minutes).filter(
          (start) => verdictOn(proposalAt(start, minutes), agenda).refusals.length === 0,
        )
        expect(starts).toEqual(accepted)
      }),
    )
  })

  it('a search finds every start with an accepted vehicle and picks the first such vehicle', () => {
    fc.assert(
      fc.property(scenes, ({ own, vehicles, minutes }) => {
        const agenda = agendaWith({ booked: own })
        const choices = vehicles.map(occupiedBy)
        const dailyAgenda = dailyAgendaFor(
          agenda,
          choices.map((one) => [takenBy(one)]),
        )
        const search = {
          dailyAgendas: [dailyAgenda],
          criteria: criteriaFor(minutes),
          preferred_instructor_id: null,
        }
        const found = completed(firstSlots(search, { by: 'time' }, { limit: 1000 }))
        const expected = startsOn(minutes).flatMap((start) => {
          const first = choices.find(
            (one) =>
              verdictOn(proposalAt(start, minutes), { ...agenda, occupied: [...agenda.occupied, one] })
                .refusals.length === 0,
          )
          return first ? [[start, [first.id]]] : []
        })
        expect(found.map(({ start, things }) => [start, things.map(({ id }) => id)])).toEqual(expected)
      }),
    )
  })
})
