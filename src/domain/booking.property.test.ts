import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Agenda } from './agenda.ts'
import { refusalFor, verdictOn } from './booking.ts'
import { agendaFor, calendarOf, play, scripts } from './booking-script.test-support.ts'
import { brokenRules, workedMinutes } from './brute-force.test-support.ts'
import type { RefusalCode } from './refusal.ts'

const RUNS = { numRuns: 600 }
const PATIENCE = { timeout: 60_000 }

describe('a random sequence of booking requests', PATIENCE, () => {
  it('each verdict reports exactly the rules that a brute-force minute count finds broken', () => {
    fc.assert(
      fc.property(scripts, (script) => {
        for (const { request, agenda } of play(script).turns) {
          const { refusals, checks } = verdictOn(request.proposal, agenda)
          const broken = brokenRules(request.proposal, agenda, calendarOf(script))
          expect(refusals.map(({ code }) => code)).toEqual(broken)
          expect(checks.filter(({ refusal }) => refusal).map(({ code }) => code)).toEqual(broken)
          expect(refusalFor(request.proposal, agenda)).toEqual(refusals[0])
        }
      }),
      RUNS,
    )
  })

  it('each load equals the brute-force minutes of its day and week, in units', () => {
    fc.assert(
      fc.property(scripts, (script) => {
        for (const { request, agenda } of play(script).turns) {
          const { proposal } = request
          const { day, week } = verdictOn(proposal, agenda).load
          const minutesIn = (period: 'date' | 'isoWeek') =>
            workedMinutes(period, proposal, agenda, calendarOf(script)).length
          const own = (Date.parse(`${proposal.end_at}Z`) - Date.parse(`${proposal.start_at}Z`)) / 60_000
          const requested = proposal.counts_toward_limits ? own : 0
          const hundredth = (minutes: number) => Number((minutes / script.unit_minutes).toFixed(2))
          expect(day.booked_units).toBeCloseTo(hundredth(minutesIn('date')), 6)
          expect(week.booked_units).toBeCloseTo(hundredth(minutesIn('isoWeek')), 6)
          expect([day.requested_units, week.requested_units]).toEqual(Array(2).fill(hundredth(requested)))
          expect(day.date).toBe(proposal.start_at.slice(0, 10))
          expect(new Date(week.week_start).getUTCDay()).toBe(1)
          const daysIntoWeek = (Date.parse(day.date) - Date.parse(week.week_start)) / 86_400_000
          expect([0, 1, 2, 3, 4, 5, 6]).toContain(daysIntoWeek)
        }
      }),
      RUNS,
    )
  })

  it('no booked lesson breaks a rule alongside all other booked lessons', () => {
    fc.assert(
      fc.property(scripts, (script) => {
        const { booked } = play(script)
        for (const request of booked) {
          const agenda = agendaFor(request, booked, script)
          expect(brokenRules(request.proposal, agenda, calendarOf(script))).toEqual([])
        }
      }),
      RUNS,
    )
  })

  it('every booked lesson can be moved to its own time', () => {
    fc.assert(
      fc.property(scripts, (script) => {
        const { booked } = play(script)
        for (const request of booked) {
          expect(refusalFor(request.proposal, agendaFor(request, booked, script))).toBeUndefined()
        }
      }),
      RUNS,
    )
  })

  it('the verdict does not depend on the order of any list', () => {
    fc.assert(
      fc.property(scripts, fc.gen(), (script, pick) => {
        const shuffled = <T>(list: readonly T[]) =>
          pick(() => fc.shuffledSubarray([...list], { minLength: list.length }))
        for (const { request, agenda } of play(script).turns) {
          const mixed: Agenda = {
            ...agenda,
            instructor: {
              ...agenda.instructor,
              availability_windows: shuffled(agenda.instructor.availability_windows),
              vacations: shuffled(agenda.instructor.vacations),
            },
            occupied: agenda.occupied.map((one) => ({ ...one, appointments: shuffled(one.appointments) })),
          }
          expect(verdictOn(request.proposal, mixed)).toEqual(verdictOn(request.proposal, agenda))
        }
      }),
      RUNS,
    )
  })

  it('an override is used exactly when an accepted lesson would be rejected without it', () => {
    fc.assert(
      fc.property(scripts, (script) => {
        for (const { request, agenda } of play(script).turns) {
          const instructor = { ...agenda.instructor, max_daily_override: null, max_weekly_override: null }
          const broken = brokenRules(request.proposal, { ...agenda, instructor }, calendarOf(script))
          const { refusals, overrides_used } = verdictOn(request.proposal, agenda)
          const isAccepted = refusals.length === 0
          const lacks = (code: RefusalCode) => isAccepted && broken.includes(code)
          expect(overrides_used.includes('daily')).toBe(lacks('daily_limit_exceeded'))
          expect(overrides_used.includes('weekly')).toBe(lacks('weekly_limit_exceeded'))
        }
      }),
      RUNS,
    )
  })
})

it('the generated scripts often break each rule, several rules together, and none', PATIENCE, () => {
  const answers = fc
    .sample(scripts, { ...RUNS, seed: 1 })
    .flatMap((script) => play(script).turns.map((turn) => verdictOn(turn.request.proposal, turn.agenda)))
    .map(({ refusals }) => refusals.map(({ code }) => code))
  const times = Map.groupBy(answers, ([first]) => first ?? 'accepted')
  expect(times.size).toBe(13)
  for (const [code, { length }] of times) expect(length, code).toBeGreaterThan(25)
  expect(answers.filter(({ length }) => length > 1).length).toBeGreaterThan(100)
})
