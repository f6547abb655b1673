import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Agenda,
  type CountedAppointment,
  type InstructorRules,
  instructorAppointmentsOf,
} from './agenda.ts'
import {
  daysOff,
  instructorWith,
  lesson,
  occupiedBy,
  officeTime,
  openOn,
} from './agenda-builder.test-support.ts'
import { verdictOn } from './booking.ts'
import { impactOf } from './impact.ts'
import { localDateTimeFor, minuteOf } from './local-time.ts'
import { completed } from './steps.ts'

const NOW = '2026-05-04 12:00'
const FIRST_MINUTE = minuteOf('2026-03-02 00:00')

function impact(
  after: Partial<InstructorRules>,
  appointments: readonly CountedAppointment[],
  before: Partial<InstructorRules> = {},
) {
  const change = { before: instructorWith(before), after: instructorWith({ ...before, ...after }) }
  return completed(impactOf({ unit_minutes: 45, appointments, ...change }, NOW))
}

const codesIn = ({ affected }: ReturnType<typeof impact>) =>
  affected.map(({ id, refusals }) => [id, ...refusals.map(({ code }) => code)])

describe('the impact of a change', () => {
  it('covers only appointments that start after now', () => {
    const appointments = [
      lesson('2026-05-04 11:00', '11:45'),
      lesson('2026-05-04 12:00', '12:45'),
      lesson('2026-05-04 13:00', '13:45'),
    ]
    const found = impact({ vacations: [daysOff('2026-05-04', '2026-05-04', 'Ill')] }, appointments)
    expect(found.checked).toBe(1)
    expect(codesIn(found)).toEqual([['2026-05-04 13:00', 'instructor_on_vacation']])
    expect(found.affected[0]?.refusals[0]?.params).toMatchObject({ note: 'Ill' })
  })

  it('lists each newly broken rule, but none that is already broken', () => {
    const appointments = [lesson('2026-05-05 08:00', '09:30'), officeTime('2026-05-05 09:35', '10:00')]
    const before = { max_daily_units: 1 }
    const after = { max_daily_units: 0, required_break_minutes: 10, active: false }
    expect(codesIn(impact(after, appointments, before))).toEqual([
      ['2026-05-05 08:00', 'instructor_inactive', 'break_too_short'],
      ['2026-05-05 09:35', 'instructor_inactive', 'break_too_short'],
    ])
  })

  it('is empty if the rules are relaxed or unchanged', () => {
    const appointments = [lesson('2026-05-05 08:00', '09:30'), lesson('2026-05-05 09:30', '11:00')]
    const before = { max_daily_units: 2, availability_windows: [openOn(2, '08:00', '11:00')] }
    expect(impact({}, appointments, before)).toEqual({ checked: 2, affected: [] })
    expect(
      impact({ max_daily_units: null, availability_windows: [] }, appointments, before).affected,
    ).toEqual([])
  })

  it('tells which appointments have to go so that the others of a day or week keep a limit', () => {
    const times = [
      ['08:00', '09:30'],
      ['10:00', '11:30'],
      ['12:00', '13:30'],
      ['14:00', '15:30'],
    ] as const
    const monday = times.map(([start, end]) => lesson(`2026-05-11 ${start}`, end))
    const tuesday = lesson('2026-05-12 08:00', '09:30')
    const found = impact({ max_daily_units: 5 }, [...monday, tuesday])
    expect(found.affected).toHaveLength(4)
    const goingIn = ({ affected }: typeof found) =>
      affected.filter((one) => one.isSufficient).map(({ id }) => id)
    expect(goingIn(found)).toEqual(['2026-05-11 12:00', '2026-05-11 14:00'])
    expect(goingIn(impact({ max_weekly_units: 8 }, [...monday, tuesday]))).toEqual(['2026-05-12 08:00'])
    expect(goingIn(impact({ required_break_minutes: 31 }, monday))).toEqual([
      '2026-05-11 10:00',
      '2026-05-11 14:00',
    ])
  })

  it('measures a stretch from its start before now to its end weeks later', () => {
    const days = ['2026-04-28', '2026-04-29', '2026-04-30', '2026-05-01', '2026-05-02', '2026-05-03']
    const later = ['2026-05-04', '2026-05-05', '2026-05-06', '2026-05-07', '2026-05-08', '2026-05-09']
    const appointments = [...days, ...later, '2026-05-10', '2026-05-11', '2026-05-12', '2026-05-13'].map(
      (day) => lesson(`${day} 13:00`, '18:00'),
    )
    const { affected } = impact({ required_break_minutes: 1440 }, appointments, {
      max_continuous_minutes: 1440,
    })
    const params = { start_at: '2026-04-28 13:00', end_at: '2026-05-13 18:00' }
    expect(affected).toHaveLength(10)
    for (const { refusals } of affected) {
      expect(refusals.map(({ code }) => code)).toEqual(['break_too_short', 'continuous_minutes_exceeded'])
      expect(refusals[1]?.params).toMatchObject(params)
    }
  })
})

/** Lessons with pauses of zero minutes to two weeks between them. */
const calendars = fc
  .array(
    fc.record({
      pause: fc.oneof(
        fc.constantFrom(0, 10, 15, 30, 60),
        fc.constantFrom(600, 900, 1380, 1439, 1440, 1500, 4000, 20_000),
      ),
      minutes: fc.constantFrom(30, 45, 90, 300, 1440),
      counts: fc.boolean(),
    }),
    { maxLength: 60, size: 'max' },
  )
  .map((entries) => {
    let at = FIRST_MINUTE
    return entries.map(({ pause, minutes, counts }, index): CountedAppointment => {
      const start = at + pause
      at = start + minutes
      const [start_at, end_at] = [localDateTimeFor(start), localDateTimeFor(at)]
      return { id: String(index), start_at, end_at, counts_toward_limits: counts }
    })
  })

const units = fc.constantFrom(null, 0, 2, 4, 8, 20)
const rules = fc.record({
  active: fc.constantFrom(true, true, true, false),
  max_daily_units: units,
  max_daily_override: units,
  max_weekly_units: units,
  max_weekly_override: units,
  required_break_minutes: fc.constantFrom(0, 0, 15, 60, 700, 1440),
  max_continuous_minutes: fc.constantFrom(null, 90, 360, 1440),
  availability_windows: fc.constantFrom(
    [],
    [1, 2, 3, 4, 5].map((weekday) => openOn(weekday, '06:00', '20:00')),
  ),
  vacations: fc.constantFrom([], [daysOff('2026-03-10', '2026-03-20')]),
})

/** Computes the impact by definition: one verdict on the whole agenda for each coming lesson. */
function bruteForce(agenda: Omit<Agenda, 'instructor'>, [before, after]: InstructorRules[], now: string) {
  const coming = instructorAppointmentsOf(agenda).filter(({ start_at }) => start_at > now)
  const affected = coming.flatMap((one) => {
    const others = instructorAppointmentsOf(agenda).filter((other) => other !== one)
    const refusalsOf = (instructor = instructorWith()) =>
      verdictOn(one, { ...agenda, instructor, occupied: occupiedBy(others) }).refusals
    const today = new Set(refusalsOf(before).map(({ code }) => code))
    const refusals = refusalsOf(after).filter(({ code }) => !today.has(code))
    return refusals.length > 0 ? [{ id: one.id, start_at: one.start_at, refusals }] : []
  })
  return { checked: coming.length, affected }
}

describe('random calendars and changes', { timeout: 60_000 }, () => {
  const changes = fc.tuple(calendars, rules, rules, fc.integer({ min: 0, max: 40 }))
  const asked = ([appointments, first, second, day]: [CountedAppointment[], object, object, number]) => ({
    appointments,
    before: instructorWith(first),
    after: instructorWith(second),
    now: localDateTimeFor(FIRST_MINUTE + day * 1440 + 720),
  })

  it('the impact equals the brute-force verdicts on the whole agenda', () => {
    fc.assert(
      fc.property(changes, (drawn) => {
        const { appointments, before, after, now } = asked(drawn)
        const agenda = { unit_minutes: 45, occupied: occupiedBy(appointments) }
        const { checked, affected } = completed(
          impactOf({ unit_minutes: 45, before, after, appointments }, now),
        )
        const plain = affected.map(({ isSufficient: _, ...one }) => one)
        expect({ checked, affected: plain }).toEqual(bruteForce(agenda, [before, after], now))
      }),
      { numRuns: 600 },
    )
  })

  it('without the sufficient ones, no appointment breaks a rule that it keeps today', () => {
    fc.assert(
      fc.property(changes, (drawn) => {
        const { appointments, before, after, now } = asked(drawn)
        const { affected } = completed(impactOf({ unit_minutes: 45, before, after, appointments }, now))
        const going = new Set(affected.filter((one) => one.isSufficient).map(({ id }) => id))
        const codesOn = (all: readonly CountedAppointment[], instructor: InstructorRules, id: string) => {
          const occupied = occupiedBy(all.filter((other) => other.id !== id))
          const one = all.find((other) => other.id === id) as CountedAppointment
          return verdictOn(one, { unit_minutes: 45, instructor, occupied }).refusals.map(({ code }) => code)
        }
        const left = appointments.filter(({ id }) => !going.has(id))
        for (const { id, start_at } of left) {
          if (start_at <= now) continue
          const today = codesOn(appointments, before, id)
          expect(codesOn(left, after, id).filter((code) => !today.includes(code))).toEqual([])
        }
      }),
      { numRuns: 300 },
    )
  })

  it('the samples break each of the 7 instructor rules, and often none', () => {
    const impacts = fc.sample(changes, { numRuns: 600, seed: 1 }).map((drawn) => {
      const { now, ...change } = asked(drawn)
      return completed(impactOf({ unit_minutes: 45, ...change }, now))
    })
    const codes = new Set(
      impacts.flatMap(({ affected }) => affected.flatMap((one) => one.refusals)).map((one) => one.code),
    )
    expect(codes.size).toBe(7)
    expect(impacts.filter(({ affected }) => affected.length === 0).length).toBeGreaterThan(25)
  })
})
