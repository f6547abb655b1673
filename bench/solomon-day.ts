import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { instructorWith } from '../src/domain/agenda-builder.test-support.ts'
import type { OwnCalendar } from '../src/domain/lesson-agenda.ts'
import { dayOf, midnightOf } from '../src/domain/local-time.ts'
import type { Occupant } from '../src/domain/occupants.ts'
import type { PlanAsk, PlanProblem } from '../src/domain/plan-problem.ts'

/** The vehicles of the best known solutions, which serve all customers. */
export const VEHICLES = 10
const SERVICE_MINUTES = 90

type Customer = { readonly x: number; readonly y: number; readonly windows: readonly (readonly number[])[] }

const [header = '', ...lines] = readFileSync(join(import.meta.dirname, 'solomon-c1.txt'), 'utf8')
  .trim()
  .split('\n')
const rows = lines.map((line): Customer => {
  const [x = '', y = '', ...windows] = line.split(' ')
  return { x: Number(x), y: Number(y), windows: windows.map((one) => one.split('-').map(Number)) }
})

export const SOLOMON_DAYS: readonly string[] = header.split(' ').slice(2)

/** Returns an instance of class C1 (Operations Research 35, 1987) as the day of a school; docs/performance.md has the differences. */
export function solomonDay(name: string): PlanProblem {
  const instance = SOLOMON_DAYS.indexOf(name)
  const [depot, ...customers] = rows
  if (!depot || instance === -1) throw new Error(`no instance ${name}`)
  const midnight = midnightOf(dayOf('2026-05-04'))
  const ids = Array.from({ length: VEHICLES }, (_, index) => `v${index}`)
  const calendars = new Map<string, OwnCalendar>(
    ids.map((id) => [id, { rules: instructorWith({ id }), appointments: [] }]),
  )
  const [, closes = 0] = depot.windows[instance] ?? []
  const asks = customers.map((customer, index): PlanAsk => {
    const student_id = `c${index}`
    calendars.set(student_id, { appointments: [], open_appointments: 0 })
    const instructors = ids.map((instructor_id) => ({
      ...{ instructor_id, is_own: false, vehicle_ids: [], location_id: student_id },
    }))
    const type = {
      lesson_type_id: 'PRACTICE',
      counts_toward_limits: true,
      only_in_the_dark: false,
      instructors,
    }
    const [ready = 0, due = 0] = customer.windows[instance] ?? []
    const way = wayBetween(depot, customer)
    const start = midnight + Math.max(ready, way)
    const end = midnight + Math.min(due + SERVICE_MINUTES, closes - way)
    return {
      ...{ student_id, lessons: 1, booked: 0, waited_weeks: 0, has_exam: false },
      windows: [{ wish_id: null, start, end, minutes: SERVICE_MINUTES, types: [type] }],
    }
  })
  return {
    asks,
    locked: [],
    calendars: { unit_minutes: 45, find: ({ id }: Occupant) => calendars.get(id) },
    timezone: 'Europe/Berlin',
    darkness: undefined,
    shortest_minutes: SERVICE_MINUTES,
    travelTimes: customers.map((from, index) => ({
      id: `c${index}`,
      travel_minutes: Object.fromEntries(customers.map((to, other) => [`c${other}`, wayBetween(from, to)])),
    })),
    locations: new Map(),
    weights: { waiting: 0, full_days: 0, own_instructor: 0 },
    with_overrides: false,
  }
}

function wayBetween(from: Customer, to: Customer): number {
  return Math.ceil(Math.hypot(from.x - to.x, from.y - to.y))
}
