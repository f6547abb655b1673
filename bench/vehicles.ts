import { parseArgs } from 'node:util'
import { daysLater } from '../src/domain/local-time.ts'
import { analyze, startBookedSchool } from './booked-school.ts'
import { load, type WireRequest } from './http-load.ts'
import { median } from './median.ts'
import type { Undo } from './servers.ts'

/**
 * Compares bookings with and without a vehicle, in turn on the same calendars: 30 instructors, 16 connections. The result is
 * the median of the rounds' ratios. Options: --seconds N --rounds N
 */
const { values: options } = parseArgs({
  options: { seconds: { type: 'string', default: '2' }, rounds: { type: 'string', default: '9' } },
})

const MONDAY = '2030-05-06'
const INSTRUCTORS = 30
const CONNECTIONS = 16
const SLOTS_A_DAY = 7
const MINUTES = 45
const MINUTES_BETWEEN = 60
const OPENING = 7 * 60

const undo: Undo = []
try {
  const school = await startBookedSchool(undo, 'Vehicles', { instructors: INSTRUCTORS })
  const { ask, headers, lessonTypeId, instructorIds, port } = school
  const vehicleIds: string[] = []
  const studentIds: string[] = []
  for (let index = 0; index < INSTRUCTORS; index += 1) {
    vehicleIds.push((await ask('POST', '/vehicles', { name: `Car ${index}`, kind: 'car' })).id)
    studentIds.push((await ask('POST', '/students', { first_name: 'x', last_name: `Number ${index}` })).id)
  }
  let count = 0

  const booking = (hasVehicle: boolean) => (): WireRequest => {
    const instructor = count % INSTRUCTORS
    const slot = Math.floor(count / INSTRUCTORS)
    count += 1
    const vehicle_ids = hasVehicle ? [vehicleIds[instructor]] : []
    const people = { instructor_id: instructorIds[instructor], student_id: studentIds[instructor] }
    const body = JSON.stringify({ ...people, lesson_type_id: lessonTypeId, vehicle_ids, ...timesOf(slot) })
    return { method: 'POST', path: '/api/v1/appointments', headers, body }
  }

  const perSecond = async (hasVehicle: boolean) => {
    const next = booking(hasVehicle)
    const done = await load({ port, connections: CONNECTIONS, seconds: Number(options.seconds), next })
    if (Object.keys(done.answers).join() !== '201') throw new Error(JSON.stringify(done.answers))
    return done.perSecond
  }

  const figures: { without: number; with: number }[] = []
  for (let round = -1; round < Number(options.rounds); round += 1) {
    // The order changes with each round, since the calendars fill.
    const first = round % 2 === 0
    const one = await perSecond(first)
    const other = await perSecond(!first)
    // The first round warms up. Then the planner gets statistics, as from autovacuum within a minute.
    if (round < 0) await analyze(school.url)
    else figures.push(first ? { with: one, without: other } : { with: other, without: one })
  }
  const of = (name: 'with' | 'without') => median(figures.map((one) => one[name])).toFixed(0)
  console.log(`without a vehicle: ${of('without')} bookings per second`)
  console.log(`with a vehicle: ${of('with')} bookings per second`)
  console.log(`ratio: ${median(figures.map((one) => one.with / one.without)).toFixed(2)}`)
} finally {
  for (const one of undo.reverse()) await one()
}

function timesOf(slot: number) {
  const workday = Math.floor(slot / SLOTS_A_DAY)
  const day = daysLater(MONDAY, Math.floor(workday / 5) * 7 + (workday % 5))
  const minute = OPENING + (slot % SLOTS_A_DAY) * (MINUTES + MINUTES_BETWEEN)
  return { start_at: `${day} ${clock(minute)}`, end_at: `${day} ${clock(minute + MINUTES)}` }
}

function clock(minute: number): string {
  return [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':')
}
