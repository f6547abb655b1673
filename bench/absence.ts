import { parseArgs } from 'node:util'
import { daysLater } from '../src/domain/local-time.ts'
import { bookLessons, startBookedSchool } from './booked-school.ts'
import { load, type WireRequest } from './http-load.ts'
import { median } from './median.ts'
import type { Undo } from './servers.ts'

/**
 * Compares the plan of an absence with the searches for free times that it is made of: five instructors, one away for three
 * days with 60 lessons. One client requests both in turn; the result is the median of the rounds' ratios of their times.
 * Options: --seconds N --rounds N
 */
const { values: options } = parseArgs({
  options: { seconds: { type: 'string', default: '2' }, rounds: { type: 'string', default: '5' } },
})

const MONDAY = '2030-05-06'
const INSTRUCTORS = 5
const DAYS = 3
const LESSONS_A_DAY = 20
const MINUTES = 30
/** The days that the plan searches, after the absence. */
const DAYS_TO_MOVE_TO = 21

const UNLIMITED = { max_daily_units: null, max_weekly_units: null, max_continuous_minutes: null }

const undo: Undo = []
try {
  const { port, plan, searches } = await startAbsence()
  const figures: { plan: number; searches: number }[] = []
  for (let round = -1; round < Number(options.rounds); round += 1) {
    const one = await timeOf(port, [plan])
    const all = (await timeOf(port, searches)) * searches.length
    // The first round warms up.
    if (round >= 0) figures.push({ plan: one, searches: all })
  }
  const of = (name: 'plan' | 'searches') => median(figures.map((one) => one[name])).toFixed(1)
  const ratio = median(figures.map((one) => one.plan / one.searches)).toFixed(2)
  console.log(`plan of ${DAYS * LESSONS_A_DAY} lessons: ${of('plan')} ms`)
  console.log(`its ${searches.length} searches: ${of('searches')} ms`)
  console.log(`ratio: ${ratio}`)
} finally {
  for (const one of undo.reverse()) await one()
}

async function startAbsence() {
  const school = await startBookedSchool(undo, 'Absence', { instructors: INSTRUCTORS, rules: UNLIMITED })
  const { ask, headers, lessonTypeId, instructorIds } = school
  const [away = '', ...others] = instructorIds
  await bookLessons({ ...school, instructorIds: others }, MONDAY, DAYS + DAYS_TO_MOVE_TO)
  const searches: WireRequest[] = []
  const end_date = daysLater(MONDAY, DAYS - 1)
  for (let number = 0; number < DAYS * LESSONS_A_DAY; number += 1) {
    const day = daysLater(MONDAY, Math.floor(number / LESSONS_A_DAY))
    const minute = 7 * 60 + (number % LESSONS_A_DAY) * MINUTES
    const times = { start_at: `${day} ${clock(minute)}`, end_at: `${day} ${clock(minute + MINUTES)}` }
    const student = await ask('POST', '/students', { first_name: 'x', last_name: `Number ${number}` })
    const booked = { instructor_id: away, student_id: student.id, lesson_type_id: lessonTypeId, ...times }
    const lesson = await ask('POST', '/appointments', booked)
    const wanted = {
      ...{ lesson_type_id: lessonTypeId, student_id: student.id, appointment_id: lesson.id },
      ...{ minutes: String(MINUTES), limit: '5' },
    }
    const last = daysLater(end_date, DAYS_TO_MOVE_TO)
    const ranges: readonly Readonly<Record<string, string>>[] = [
      { from: times.start_at, to: times.end_at, step: '5' },
      { from: times.start_at, to: last, instructor_id: away },
    ]
    for (const range of ranges) {
      const query = new URLSearchParams({ ...wanted, ...range })
      searches.push({ method: 'GET', path: `/api/v1/slots?${query}`, headers })
    }
  }
  const body = JSON.stringify({ start_date: MONDAY, end_date })
  const plan = { method: 'POST', path: `/api/v1/instructors/${away}/absence-plan`, headers, body }
  const { appointments } = await ask('POST', `/instructors/${away}/absence-plan`, JSON.parse(body))
  if (appointments.length !== DAYS * LESSONS_A_DAY) throw new Error(`${appointments.length} lessons`)
  return { port: school.port, plan, searches }
}

function clock(minute: number): string {
  return [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':')
}

/** Returns the milliseconds per request. The requests take turns. */
async function timeOf(port: number, requests: readonly WireRequest[]): Promise<number> {
  let sent = 0
  const { perSecond, answers } = await load({
    port,
    connections: 1,
    seconds: Number(options.seconds),
    next: () => requests[sent++ % requests.length] as WireRequest,
  })
  if (Object.keys(answers).join() !== '200') throw new Error(JSON.stringify(answers))
  return 1000 / perSecond
}
