import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Agenda } from './agenda.ts'
import { overridesUsedBy, refusalFor } from './booking.ts'
import { agendaFor, calendarOf, play, scripts } from './booking-script.test-support.ts'
import { brokenRules } from './brute-force.test-support.ts'

const RUNS = { numRuns: 600 }
const PATIENCE = { timeout: 60_000 }

describe('whatever is asked for, one after the other', PATIENCE, () => {
  it('each answer is the first rule that a count of minutes finds broken, or none', () => {
    fc.assert(
      fc.property(scripts, (script) => {
        for (const { request, agenda } of play(script).turns) {
          const code = refusalFor(request.proposal, agenda)?.code
          expect(code).toBe(brokenRules(request.proposal, agenda, calendarOf(script))[0])
        }
      }),
      RUNS,
    )
  })

  it('no lesson that was booked breaks a rule beside all that were booked before and after it', () => {
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

  it('every lesson that was booked can be moved onto itself', () => {
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

  it('the answer does not depend on the order of any list', () => {
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
            instructor_appointments: shuffled(agenda.instructor_appointments),
            student_appointments: shuffled(agenda.student_appointments),
          }
          expect(refusalFor(request.proposal, mixed)).toEqual(refusalFor(request.proposal, agenda))
          expect(overridesUsedBy(request.proposal, mixed)).toEqual(overridesUsedBy(request.proposal, agenda))
        }
      }),
      RUNS,
    )
  })

  it('a lesson draws on an override exactly if it would be refused without it', () => {
    fc.assert(
      fc.property(scripts, (script) => {
        for (const { request, agenda } of play(script).turns) {
          const instructor = { ...agenda.instructor, max_daily_override: null, max_weekly_override: null }
          const broken = brokenRules(request.proposal, { ...agenda, instructor }, calendarOf(script))
          const used = overridesUsedBy(request.proposal, agenda)
          expect(used.includes('daily')).toBe(broken.includes('daily_limit_exceeded'))
          expect(used.includes('weekly')).toBe(broken.includes('weekly_limit_exceeded'))
        }
      }),
      RUNS,
    )
  })
})

it('the scripts meet every rule often, and often none', PATIENCE, () => {
  const answers = fc
    .sample(scripts, { ...RUNS, seed: 1 })
    .flatMap((script) =>
      play(script).turns.map(({ request, agenda }) => refusalFor(request.proposal, agenda)?.code),
    )
  const times = Map.groupBy(answers, (code) => code ?? 'accepted')
  expect(times.size).toBe(10)
  for (const [code, { length }] of times) expect(length, code).toBeGreaterThan(25)
})
