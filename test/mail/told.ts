import { afterEach, beforeEach } from 'vitest'
import type { TestService } from '../support/app.ts'
import { must } from '../support/client.ts'
import type { Row } from '../support/factory.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { StudentBrowser } from '../support/student-browser.ts'
import { type MessageOffice, useMessageOffice } from './message-office.ts'

/** On the school's clock 13:30. The quiet hours of the table begin then and end at 18:00; its lessons are today at 17:30, or on Friday. */
const NOW = '2099-03-01T12:30:00Z'
const AFTER = '2099-03-01T12:32:00Z'
const QUIET = { from: '13:30', to: '18:00' }

const SOON = { start_at: '2099-03-01 17:30', end_at: '2099-03-01 18:15' }
export const LATER = { start_at: '2099-03-06 10:00', end_at: '2099-03-06 11:00' }
export const ELSEWHEN = { start_at: '2099-03-05 10:00', end_at: '2099-03-05 11:00' }

/** Something that happens to a booked lesson. */
export type Event = (lesson: Row) => Promise<unknown>

export const MOMENTS = ['by day', 'quiet, soon', 'quiet, later', 'no address', 'no consent'] as const
export type Moment = (typeof MOMENTS)[number]

/** Returns the cells of a table of events and the people who are told at each moment. An event may have none at a moment: `-`. */
export function cellsOf(table: string): readonly (readonly [string, Moment, string])[] {
  const [, ...lines] = table
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
  return lines.flatMap(([event = '', ...own]) =>
    MOMENTS.map((moment, index) => [event, moment, own[index] ?? ''] as const).filter(
      ([, , people]) => people !== '-',
    ),
  )
}

const PEOPLE: Readonly<Record<string, string>> = {
  'lena@reader.example': 'S',
  'jonas@reader.example': 'I',
  'office@reader.example': 'O',
}

/** Makes an office whose messages of events are told by `told`, spelled as in the tables. */
export function useTold(service: () => TestService) {
  const office = useMessageOffice(service)
  let server: MailServer
  let browser: StudentBrowser
  const client = () => office().school.client

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

  /** Returns the people told of an event of a lesson. Before `kinds`, the school sends moves and cancellations. */
  async function told(event: Event, moment: Moment, kinds: object = {}): Promise<string> {
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
    must(200, await client().patch('/tenant', { messages: kinds }))
    await event(lesson)
    await office().messages()
    office().moveClock(AFTER)
    office().hire(server)
    const messages = (await office().settled()).filter(({ channel }) => channel !== 'call')
    const initials = (state: string) => {
      const found = messages.filter((one) => one.state === state).map(({ to }) => PEOPLE[to ?? ''] ?? '?')
      return ['S', 'I', 'O', '?'].filter((one) => found.includes(one)).join('')
    }
    const later = initials('waiting')
    const { entries } = must(200, await client().get('/inbox'))
    return `${initials('sent')}${later && `(${later})`}${'!'.repeat(entries.length)}`
  }

  return { office: office as () => MessageOffice, browser: () => browser, server: () => server, told }
}
