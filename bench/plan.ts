import { parseArgs } from 'node:util'
import { inventedWeek } from '../src/domain/invented-week.test-support.ts'
import { planWeek } from '../src/domain/plan.ts'
import { PlanBoard } from '../src/domain/plan-board.ts'
import type { PlanProblem } from '../src/domain/plan-problem.ts'
import { completed } from '../src/domain/steps.ts'
import { boundOf } from './plan-bound.ts'
import { customersBound } from './solomon-bound.ts'
import { SOLOMON_DAYS, solomonDay, VEHICLES } from './solomon-day.ts'

/**
 * Compares plans of invented weeks with an upper bound, and with booking in the order of the wishes. Prints for each week the
 * distance of both to the bound, the lessons, and the processor seconds of the planner. Options: --weeks N, --large for
 * 30 instructors and 400 students with effort 10 in place of 10 and 120 with effort 3, --solomon for public instances
 */
const { values: options } = parseArgs({
  options: {
    weeks: { type: 'string', default: '3' },
    large: { type: 'boolean', default: false },
    solomon: { type: 'boolean', default: false },
  },
})
const size = options.large ? { instructors: 30, students: 400 } : { instructors: 10, students: 120 }
const effort = options.large || options.solomon ? 10 : 3

if (options.solomon) await compareSolomon()
else await compareWeeks()

async function compareWeeks(): Promise<void> {
  console.log(`${size.instructors} instructors, ${size.students} students, effort ${effort}`)
  console.log('week   bound  in order (lessons)   planned (lessons)   processor')
  for (let week = 1; week <= Number(options.weeks); week += 1) {
    const problem = inventedWeek(size, week)
    const bound = await boundOf(problem)
    const inOrder = bookedInOrder(problem)
    const { planned, seconds } = timed(problem)
    const { score, proposed } = planned
    const below = (points: number) => `-${((1 - points / bound) * 100).toFixed(2)} %`
    console.log(
      [
        String(week).padStart(4),
        bound.toFixed(0).padStart(7),
        `${below(inOrder.score).padStart(9)} ${`(${inOrder.lessons})`.padStart(9)}`,
        `${below(score).padStart(9)} ${`(${proposed.length})`.padStart(9)}`,
        `${seconds.padStart(9)} s`,
      ].join(' '),
    )
  }
}

async function compareSolomon(): Promise<void> {
  console.log('day    bound  in order   planned   processor')
  for (const name of SOLOMON_DAYS) {
    const problem = solomonDay(name)
    const bound = await customersBound(problem, VEHICLES)
    const { lessons } = bookedInOrder(problem)
    const { planned, seconds } = timed(problem)
    console.log(
      `${name} ${String(bound).padStart(6)} ${String(lessons).padStart(9)} ${String(planned.proposed.length).padStart(9)} ${seconds.padStart(9)} s`,
    )
  }
}

/** Plans a week, and measures the processor seconds. */
function timed(problem: PlanProblem) {
  const begun = process.cpuUsage()
  const planned = completed(planWeek(problem, { seed: 1, effort }))
  const { user, system } = process.cpuUsage(begun)
  return { planned, seconds: ((user + system) / 1e6).toFixed(1) }
}

function bookedInOrder(problem: PlanProblem): { readonly score: number; readonly lessons: number } {
  const board = new PlanBoard(problem)
  for (const ask of problem.asks)
    for (let nth = 0; nth < ask.lessons; nth += 1) {
      for (const choice of board.startsFor(ask, nth))
        if (!board.obstacleTo(choice)) {
          board.add(choice)
          break
        }
    }
  const lessons = problem.asks.reduce((count, ask) => count + board.proposedFor(ask).length, 0)
  return { score: board.score, lessons }
}
