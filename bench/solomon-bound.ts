import { createRequire } from 'node:module'
import { PlanBoard } from '../src/domain/plan-board.ts'
import type { PlanProblem } from '../src/domain/plan-problem.ts'

const loadHighs: typeof import('highs').default = createRequire(import.meta.url)('highs')

const ROUNDS = 300
/** The distance to the relaxed optimum, in customers, at which the bound is tight enough: bounds are whole numbers. */
const CLOSE = 0.05

type Visit = { readonly customer: number; readonly start: number; readonly end: number }

/**
 * Returns an upper bound of the customers that a number of equal vehicles can serve: for any prices, no plan serves more than all customers
 * cost plus the best routes after paying (Lagrange). HiGHS finds the prices by column generation. A route may serve a customer twice.
 */
export async function customersBound(problem: PlanProblem, vehicles: number): Promise<number> {
  const highs = await loadHighs()
  const visits = visitsOf(problem)
  const travelTimes = problem.travelTimes.map(({ travel_minutes }) =>
    problem.asks.map(({ student_id }) => travel_minutes[student_id] ?? 0),
  )
  const columns: (readonly number[])[] = []
  let prices = problem.asks.map(() => 0)
  let bound = problem.asks.length
  for (let round = 0; round < ROUNDS; round += 1) {
    const { route, worth } = bestRoute(visits, travelTimes, prices)
    bound = Math.min(bound, prices.reduce((sum, price) => sum + price, 0) + vehicles * worth)
    columns.push(route)
    const solution = highs.solve(programOf(columns, problem.asks.length, vehicles))
    if (solution.Status !== 'Optimal') throw new Error(`the relaxed problem is ${solution.Status}`)
    if (bound - solution.ObjectiveValue < CLOSE) break
    const duals = new Map(
      solution.Rows.flatMap((row) => ('Dual' in row ? [[row.Name, Math.max(0, row.Dual)] as const] : [])),
    )
    prices = prices.map((_, customer) => duals.get(`c${customer}`) ?? 0)
  }
  return Math.floor(bound + 1e-6)
}

function visitsOf(problem: PlanProblem): readonly Visit[] {
  const board = new PlanBoard(problem)
  const visits = problem.asks.flatMap((ask, customer) => {
    const starts = new Map([...board.startsFor(ask, 0)].map(({ start, end }) => [start, end]))
    return [...starts].map(([start, end]) => ({ customer, start, end }))
  })
  return visits.toSorted((a, b) => a.start - b.start)
}

/** Returns the route that serves most after paying the prices, and what it is worth. */
function bestRoute(
  visits: readonly Visit[],
  travelTimes: readonly (readonly number[])[],
  prices: readonly number[],
): { readonly route: readonly number[]; readonly worth: number } {
  const worths: number[] = []
  const before: number[] = []
  let last = -1
  for (const [index, { customer, start }] of visits.entries()) {
    let [worth, from] = [0, -1]
    for (let other = 0; other < index; other += 1) {
      const previous = visits[other]
      const known = worths[other] ?? 0
      if (!previous || known <= worth || previous.customer === customer) continue
      if (previous.end + (travelTimes[previous.customer]?.[customer] ?? 0) <= start)
        [worth, from] = [known, other]
    }
    worths[index] = worth + 1 - (prices[customer] ?? 0)
    before[index] = from
    if ((worths[index] ?? 0) > (worths[last] ?? 0)) last = index
  }
  const route: number[] = []
  for (let at = last; at !== -1; at = before[at] ?? -1) route.push(visits[at]?.customer ?? 0)
  return { route, worth: worths[last] ?? 0 }
}

function programOf(columns: readonly (readonly number[])[], customers: number, vehicles: number): string {
  const rows = Array.from({ length: customers }, (_, customer) => {
    const terms = columns.flatMap((route, index) => {
      const times = route.filter((one) => one === customer).length
      return times === 0 ? [] : [`+ ${times} x${index}`]
    })
    return terms.length === 0 ? [] : [`c${customer}: ${terms.join(' ')} <= 1`]
  })
  return [
    'Maximize',
    `served: ${columns.map((route, index) => `+ ${route.length} x${index}`).join(' ')}`,
    'Subject To',
    ...rows.flat(),
    `vehicles: ${columns.map((_, index) => `+ x${index}`).join(' ')} <= ${vehicles}`,
    'End',
  ].join('\n')
}
