import { parseArgs } from 'node:util'
import { daysLater } from '../src/domain/local-time.ts'
import { bookLessons, startBookedSchool } from './booked-school.ts'
import { load, type WireRequest } from './http-load.ts'
import { median } from './median.ts'
import type { Undo } from './servers.ts'

/**
 * Compares the search for free times with the list of the appointments that it reads: 20 instructors with four lessons a day,
 * at steps of 15 minutes, over 4, 8 and 12 weeks. One client requests both in turn; the result is the median of the rounds'
 * ratios of their times. Options: --seconds N --rounds N
 */
const { values: options } = parseArgs({
  options: { seconds: { type: 'string', default: '1' }, rounds: { type: 'string', default: '7' } },
})

const MONDAY = '2030-05-06'
const INSTRUCTORS = 20
const WEEKS = [4, 8, 12]

const SEARCHES: Readonly<Record<string, string>> = {
  'first page by time': '',
  '200 by time': '&limit=200',
  'first page by fit': '&order=fit',
  '200 by fit': '&order=fit&limit=200',
  'first page for a student': '&student_id=STUDENT',
}

const undo: Undo = []
try {
  const school = await startBookedSchool(undo, 'Slots', { instructors: INSTRUCTORS })
  const { port, headers, lessonTypeId } = school
  const { id: studentId } = await school.ask('POST', '/students', { first_name: 'x', last_name: 'y' })
  await bookLessons(school, MONDAY, Math.max(...WEEKS) * 7)
  console.log('search                     weeks  lessons  list ms  search ms  ratio')
  for (const [name, more] of Object.entries(SEARCHES)) {
    for (const weeks of WEEKS) {
      const range = `from=${MONDAY}&to=${daysLater(MONDAY, weeks * 7 - 1)}`
      const search = `/slots?${range}&lesson_type_id=${lessonTypeId}${more.replace('STUDENT', studentId)}`
      const figures: { list: number; search: number }[] = []
      for (let round = -1; round < Number(options.rounds); round += 1) {
        const list = await timeOf(port, { method: 'GET', path: `/api/v1/appointments?${range}`, headers })
        const found = await timeOf(port, { method: 'GET', path: `/api/v1${search}`, headers })
        // The first round warms up.
        if (round >= 0) figures.push({ list, search: found })
      }
      const ratio = median(figures.map((one) => one.search / one.list))
      const [list, found] = [median(figures.map((one) => one.list)), median(figures.map((one) => one.search))]
      const cells = [name.padEnd(26), weeks, weeks * 400, list.toFixed(1), found.toFixed(1), ratio.toFixed(2)]
      console.log(cells.map((cell) => String(cell).padStart(6)).join('  '))
    }
  }
} finally {
  for (const one of undo.reverse()) await one()
}

/** Returns the median time in milliseconds. */
async function timeOf(port: number, request: WireRequest): Promise<number> {
  const { p50, answers } = await load({
    port,
    connections: 1,
    seconds: Number(options.seconds),
    next: () => request,
  })
  if (Object.keys(answers).join() !== '200') throw new Error(`${request.path}: ${JSON.stringify(answers)}`)
  return p50
}
