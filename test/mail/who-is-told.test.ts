import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import type { Row } from '../support/factory.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { StudentBrowser } from '../support/student-browser.ts'
import { useMessageOffice } from './message-office.ts'

const service = useService()
const office = useMessageOffice(service)
let server: MailServer
let browser: StudentBrowser

/** On the school's clock 13:30. The quiet hours of the table begin then and end at 18:00; its lessons are today at 17:30, or in a week. */
const NOW = '2099-03-01T12:30:00Z'
const AFTER = '2099-03-01T12:32:00Z'
const QUIET = { from: '13:30', to: '18:00' }

const SOON = { start_at: '2099-03-01 17:30', end_at: '2099-03-01 18:15' }
const LATER = { start_at: '2099-03-09 10:00', end_at: '2099-03-09 11:00' }
const ELSEWHEN = { start_at: '2099-03-10 10:00', end_at: '2099-03-10 11:00' }

const { client, path } = {
  client: () => office().school.client,
  path: (lesson: Row) => `/appointments/${lesson.id}`,
}

type Event = (lesson: Row) => Promise<unknown>

const patch = async (lesson: Row, change: object) => must(200, await client().patch(path(lesson), change))
const cancel = async (lesson: Row) =>
  must(200, await client().post(`${path(lesson)}/cancel`, { by: 'school' }))

/** The events of the table, each applied to a booked lesson. */
const EVENTS: Readonly<Record<string, Event>> = {
  'moved in time': (lesson) => patch(lesson, ELSEWHEN),
  'moved in place': (lesson) => patch(lesson, { pickup_place: 'Rathaus' }),
  'another instructor': async (lesson) =>
    patch(lesson, { instructor_id: (await office().school.instructor({ email: 'mona@reader.example' })).id }),
  'cancelled by the office': cancel,
  'deleted by the office': async (lesson) => must(204, await client().delete(path(lesson))),
  'given to another student': async (lesson) =>
    patch(lesson, { student_id: (await office().school.student()).id }),
  'cancelled and undone': async (lesson) => {
    await cancel(lesson)
    await patch(lesson, { status: 'planned' })
  },
  'cancelled by the student': (lesson) => browser.submit(lesson.id, 'cancel'),
  'moved by the student': async (lesson) => {
    const { version } = must(200, await client().get(path(lesson)))
    const move = { act: 'move', version: String(version), start_at: ELSEWHEN.start_at }
    expect((await browser.press(lesson.id, move)).status).toBe(303)
  },
  'booked by the student': async () => {
    const { school, instructor } = office()
    const start_at = `${ELSEWHEN.start_at} ${instructor.id}`
    const lesson_type_id = school.lessonTypes.PRACTICE ?? ''
    expect((await browser.pressBooking({ act: 'book', lesson_type_id, start_at })).status).toBe(303)
  },
  'confirmed by the student': (lesson) => browser.submit(lesson.id, 'confirm'),
  'a wish of the student': () => browser.pressWish({ act: 'wish', weekday: '4', minutes: '90' }),
}

const MOMENTS = ['by day', 'quiet, soon', 'quiet, later', 'no address', 'no consent'] as const

/**
 * The people told at once (student S, instructor I, office O), later (in brackets), and through the inbox of the office (!). The table
 * also stands in docs/messages.md.
 */
const TABLE = `
event                    | by day | quiet, soon | quiet, later | no address | no consent
moved in time            | S      | S           | (S)          | !          |
moved in place           | S      | S           | (S)          | !          |
another instructor       | S      | S           | (S)          | !          |
cancelled by the office  | S      | S           | (S)          | !          |
deleted by the office    | S      | S           | (S)          | !          |
given to another student | S      | S           | (S)          | !          |
cancelled and undone     |        |             |              |            |
cancelled by the student | SIO!   | SIO!        | (SIO)!       | IO!!       | IO!
moved by the student     | SIO!   | SIO!        | (SIO)!       | IO!!       | IO!
booked by the student    | IO!    | (IO)!       | (IO)!        | IO!        | IO!
confirmed by the student | IO!    | IO!         | (IO)!        | IO!        | IO!
a wish of the student    | IO!    | (IO)!       | (IO)!        | IO!        | IO!
`

const [, ...lines] = TABLE.trim()
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
const cells = lines.flatMap(([event = '', ...own]) =>
  MOMENTS.map((moment, index) => [event, moment, own[index] ?? ''] as const),
)

beforeEach(async () => {
  server = await startMailServer()
  const { school, student, instructor } = office()
  must(200, await client().patch(`/students/${student.id}`, { preferred_instructor_id: instructor.id }))
  must(
    200,
    await client().patch('/tenant', {
      office_email: 'office@reader.example',
      messages: { booked: false, moved: true, cancelled: true },
      student_actions: { confirm: true, cancel: true, wish: true, proof: 'none' },
      student_booking: { mode: 'book', no_gaps: false },
    }),
  )
  browser = await StudentBrowser.open(service(), school, student)
})

afterEach(async () => {
  await office().close()
  await server.close()
})

const PEOPLE: Readonly<Record<string, string>> = {
  'lena@reader.example': 'S',
  'jonas@reader.example': 'I',
  'office@reader.example': 'O',
}

/** Returns the people told, spelled as in the table. */
async function told(event: Event, moment: (typeof MOMENTS)[number]): Promise<string> {
  const lesson = await office().lesson({
    ...(moment === 'quiet, soon' ? SOON : LATER),
    pickup_place: 'Bahnhof',
  })
  const student = `/students/${office().student.id}`
  if (moment === 'no address') must(200, await client().patch(student, { email: null }))
  if (moment === 'no consent') must(200, await client().patch(student, { messages_consent: false }))
  if (moment.startsWith('quiet')) must(200, await client().patch('/tenant', { messages: { quiet: QUIET } }))
  office().moveClock(NOW)
  await office().messages()
  await event(lesson)
  await office().messages()
  office().moveClock(AFTER)
  office().hire(server)
  const messages = await office().settled()
  const initials = (state: string) => {
    const found = messages.filter((one) => one.state === state).map(({ to }) => PEOPLE[to ?? ''] ?? '?')
    return ['S', 'I', 'O', '?'].filter((one) => found.includes(one)).join('')
  }
  const later = initials('waiting')
  const { entries } = must(200, await client().get('/inbox'))
  return `${initials('sent')}${later && `(${later})`}${'!'.repeat(entries.length)}`
}

describe('who is told of', () => {
  it.each(cells)('a lesson %s, %s: %s', async (event, moment, people) => {
    const happens = EVENTS[event]
    if (!happens) throw new Error(`no event ${event}`)
    expect(await told(happens, moment)).toBe(people)
  })
})
