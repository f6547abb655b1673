import { createRequire } from 'node:module'
import type { InstructorRules } from '../src/domain/agenda.ts'
import { minutesOf } from '../src/domain/interval.ts'
import { dayOfMinute, MINUTES_PER_DAY, midnightOf } from '../src/domain/local-time.ts'
import { PlanBoard } from '../src/domain/plan-board.ts'
import { isProposed, type PlanProblem } from '../src/domain/plan-problem.ts'
import { pointsOf } from '../src/domain/plan-score.ts'

// The package's types describe its CommonJS module.
const loadHighs: typeof import('highs').default = createRequire(import.meta.url)('highs')

/** The minutes of a step. Every time and length in an invented week is a multiple of it. */
const STEP = 15
const STEPS_PER_DAY = MINUTES_PER_DAY / STEP
const ROUNDS = 80
/** The relative distance to the relaxed optimum at which the bound is tight enough. */
const CLOSE = 0.0005

type Offer = {
  readonly lesson: number
  readonly window: number
  readonly steps: number
  readonly points: number
}

type Workday = {
  readonly rules: InstructorRules
  readonly unit_minutes: number
  readonly booked: readonly { readonly start: number; readonly end: number }[]
  readonly offers: ReadonlyMap<number, readonly Offer[]>
}

type Column = {
  readonly workday: number
  readonly lessons: readonly number[]
  readonly windows: readonly number[]
  readonly minutes: number
  readonly worth: number
}

type Prices = {
  readonly lessons: readonly number[]
  readonly windows: readonly number[]
  readonly minutes: ReadonlyMap<string, number>
}

/**
 * Returns an upper bound of the scores of all plans of an invented week. For any prices, no plan is worth more than all lessons and limits cost
 * plus the best day of each instructor after paying (Lagrange). HiGHS finds the prices by column generation. A student may be in two places.
 */
export async function boundOf(problem: PlanProblem): Promise<number> {
  const highs = await loadHighs()
  const { workdays, lessons, windows } = workdaysOf(problem)
  const limits = limitsOf(workdays)
  const columns: Column[] = []
  let prices: Prices = { lessons: zeros(lessons), windows: zeros(windows), minutes: new Map() }
  let bound = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS; round += 1) {
    const best = workdays.map((workday, index) => bestDay(workday, index, prices, problem))
    const paid =
      [...prices.lessons, ...prices.windows].reduce((sum, price) => sum + price, 0) +
      [...limits].reduce((sum, [id, minutes]) => sum + minutes * (prices.minutes.get(id) ?? 0), 0)
    bound = Math.min(bound, paid + best.reduce((sum, { reduced }) => sum + reduced, 0))
    columns.push(...best.map(({ column }) => column).filter((one) => one.lessons.length > 0))
    const solution = highs.solve(programOf({ columns, workdays, limits, lessons, windows }))
    if (solution.Status !== 'Optimal') throw new Error(`the relaxed problem is ${solution.Status}`)
    const duals = new Map(
      solution.Rows.flatMap((row) => ('Dual' in row ? [[row.Name, Math.max(0, row.Dual)] as const] : [])),
    )
    prices = {
      lessons: prices.lessons.map((_, lesson) => duals.get(`s${lesson}`) ?? 0),
      windows: prices.windows.map((_, window) => duals.get(`h${window}`) ?? 0),
      minutes: new Map([...limits.keys()].map((id) => [id, duals.get(`w_${id}`) ?? 0])),
    }
    if (bound - solution.ObjectiveValue <= CLOSE * bound) break
  }
  return bound
}

function workdaysOf(problem: PlanProblem): {
  readonly workdays: readonly Workday[]
  readonly lessons: number
  readonly windows: number
} {
  const windows = new Map<object, number>()

  const board = new PlanBoard(problem)
  const workdays = new Map<string, Workday & { readonly offers: Map<number, Offer[]> }>()
  let lessons = 0
  for (const ask of problem.asks)
    for (let nth = 0; nth < ask.lessons; nth += 1) {
      for (const choice of board.startsFor(ask, nth)) {
        if (board.obstacleTo(choice)) continue
        const day = dayOfMinute(choice.start)
        const stepOf = (minute: number) => (minute - midnightOf(day)) / STEP
        const rules = choice.agenda.instructor
        const key = `${rules.id} ${day}`
        const workday = workdays.get(key) ?? {
          rules,
          unit_minutes: problem.calendars.unit_minutes,
          booked: (choice.calendars[0] ?? [])
            .filter((one) => !isProposed(one) && dayOfMinute(one.start) === day)
            .map(({ start, end }) => ({ start: stepOf(start), end: stepOf(end) })),
          offers: new Map<number, Offer[]>(),
        }
        workdays.set(key, workday)
        // The lessons of an invented student are equally long, so that their order does not matter.
        const [points = 0] = pointsOf({ ...ask, booked: ask.booked + nth }, [choice], problem)
        const window = windows.get(choice.window) ?? windows.size
        windows.set(choice.window, window)
        const offer = { lesson: lessons, window, steps: minutesOf(choice) / STEP, points }
        const offers = workday.offers.get(stepOf(choice.start)) ?? []
        workday.offers.set(stepOf(choice.start), [...offers, offer])
      }
      lessons += 1
    }
  return { workdays: [...workdays.values()], lessons, windows: windows.size }
}

function limitsOf(workdays: readonly Workday[]): ReadonlyMap<string, number> {
  const left = new Map<string, number>()
  for (const { rules, unit_minutes, booked } of workdays) {
    if (rules.max_weekly_units === null) continue
    const before = left.get(rules.id) ?? rules.max_weekly_units * unit_minutes
    left.set(
      rules.id,
      booked.reduce((sum, { start, end }) => sum - (end - start) * STEP, before),
    )
  }
  return left
}

type Relaxed = {
  readonly columns: readonly Column[]
  readonly workdays: readonly Workday[]
  readonly limits: ReadonlyMap<string, number>
  readonly lessons: number
  readonly windows: number
}

function programOf({ columns, workdays, limits, lessons, windows }: Relaxed): string {
  const sumOf = (weightOf: (column: Column) => number) =>
    columns.flatMap((column, index) => {
      const weight = weightOf(column)
      return weight === 0 ? [] : [`${weight < 0 ? '-' : '+'} ${Math.abs(weight)} x${index}`]
    })
  const row = (name: string, terms: readonly string[], limit: number) =>
    terms.length === 0 ? [] : [`${name}: ${terms.join(' ')} <= ${limit}`]
  return [
    'Maximize',
    `worth: ${sumOf(({ worth }) => worth).join(' ')}`,
    'Subject To',
    ...Array.from({ length: lessons }, (_, lesson) =>
      row(
        `s${lesson}`,
        sumOf((one) => one.lessons.filter((other) => other === lesson).length),
        1,
      ),
    ).flat(),
    ...Array.from({ length: windows }, (_, window) =>
      row(
        `h${window}`,
        sumOf((one) => one.windows.filter((other) => other === window).length),
        1,
      ),
    ).flat(),
    ...workdays.flatMap((_, index) =>
      row(
        `d${index}`,
        sumOf(({ workday }) => Number(workday === index)),
        1,
      ),
    ),
    ...[...limits].flatMap(([id, minutes]) =>
      row(
        `w_${id}`,
        sumOf((one) => (workdays[one.workday]?.rules.id === id ? one.minutes : 0)),
        minutes,
      ),
    ),
    'End',
  ].join('\n')
}

type Beginning = {
  readonly end: number
  /** The minutes of the day that count, those of later booked lessons included. */
  readonly minutes: number
  /** The start of the stretch that the last lesson belongs to. */
  readonly since: number
  readonly isProposed: boolean
  readonly lessons: readonly number[]
  readonly windows: readonly number[]
  readonly worth: number
  readonly reduced: number
}

type Next = {
  readonly steps: number
  readonly points: number
  readonly price: number
  readonly lesson?: number
  readonly window?: number
}

/** Returns the day that is worth most after paying the prices, by dynamic programming over the starts. */
function bestDay(
  { rules, unit_minutes, booked, offers }: Workday,
  workday: number,
  prices: Prices,
  { weights, shortest_minutes }: PlanProblem,
): { readonly column: Column; readonly reduced: number } {
  const { required_break_minutes, max_continuous_minutes, max_daily_units } = rules
  const bookedMinutes = booked.reduce((sum, { start, end }) => sum + (end - start) * STEP, 0)
  const most = max_daily_units === null ? Number.POSITIVE_INFINITY : max_daily_units * unit_minutes
  const none = { end: Number.NEGATIVE_INFINITY, minutes: bookedMinutes, since: 0, isProposed: false }
  let beginnings: Beginning[] = [{ ...none, lessons: [], windows: [], worth: 0, reduced: 0 }]
  const after = (
    one: Beginning,
    start: number,
    { steps, points, price, lesson, window }: Next,
  ): Beginning | undefined => {
    const isProposed = lesson !== undefined
    const gap = (start - one.end) * STEP
    if ((isProposed || one.isProposed) && gap < required_break_minutes) return undefined
    const end = start + steps
    const since = gap < Math.max(required_break_minutes, STEP) ? one.since : start
    const isLong = max_continuous_minutes !== null && (end - since) * STEP > max_continuous_minutes
    if (isLong && (isProposed || one.isProposed)) return undefined
    const minutes = one.minutes + (isProposed ? steps * STEP : 0)
    if (isProposed && minutes > most) return undefined
    const payers = Number(isProposed) + Number(one.isProposed)
    const lost = gap > 0 && gap < shortest_minutes ? weights.full_days * gap * payers : 0
    return {
      end,
      minutes,
      since,
      isProposed,
      lessons: isProposed ? [...one.lessons, lesson] : one.lessons,
      windows: window === undefined ? one.windows : [...one.windows, window],
      worth: one.worth + points - lost,
      reduced: one.reduced + points - lost - price,
    }
  }
  for (let start = 0; start < STEPS_PER_DAY; start += 1) {
    const fixed = booked.find((one) => one.start === start)
    const until = booked.find((one) => one.start >= start)?.start ?? Number.POSITIVE_INFINITY
    const next: Next[] = fixed ? [{ steps: fixed.end - start, points: 0, price: 0 }] : []
    const bySteps = new Map<number, Next>()
    for (const { lesson, window, steps, points } of offers.get(start) ?? []) {
      const price =
        (prices.lessons[lesson] ?? 0) +
        (prices.windows[window] ?? 0) +
        steps * STEP * (prices.minutes.get(rules.id) ?? 0)
      const known = bySteps.get(steps)
      if (start + steps <= until && (!known || points - price > known.points - known.price))
        bySteps.set(steps, { lesson, window, steps, points, price })
    }
    if (!fixed) next.push(...bySteps.values())
    const ready = beginnings.filter(({ end }) => end <= start)
    const added = ready.flatMap((one) => next.flatMap((added) => after(one, start, added) ?? []))
    beginnings = best(
      [...(fixed ? beginnings.filter(({ end }) => end > start) : beginnings), ...added],
      start,
    )
  }
  const [top = { ...none, lessons: [], windows: [], worth: 0, reduced: 0 }] = beginnings.toSorted(
    (a, b) => b.reduced - a.reduced,
  )
  const { lessons, windows, worth, reduced, minutes } = top
  return { column: { workday, lessons, windows, minutes: minutes - bookedMinutes, worth }, reduced }

  function best(all: readonly Beginning[], start: number): Beginning[] {
    const kept = new Map<string, Beginning>()
    for (const one of all) {
      const isRested = (start + 1 - one.end) * STEP >= shortest_minutes
      const key = isRested ? `${one.minutes}` : `${one.minutes} ${one.end} ${one.since} ${one.isProposed}`
      const known = kept.get(key)
      if (!known || one.reduced > known.reduced) kept.set(key, one)
    }
    return [...kept.values()]
  }
}

function zeros(length: number): readonly number[] {
  return Array.from({ length }, () => 0)
}
