import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { StudentBrowser } from '../support/student-browser.ts'
import { useMessageOffice } from './message-office.ts'

const service = useService()
const office = useMessageOffice(service)
let server: MailServer
let browser: StudentBrowser

const at = (start: string, end: string, date = '2099-03-09') => ({
  start_at: `${date} ${start}`,
  end_at: `${date} ${end}`,
})

beforeEach(async () => {
  server = await startMailServer()
  await set({
    office_email: 'office@reader.example',
    student_actions: { confirm: true, cancel: true, wish: true, proof: 'none' },
  })
  const { school, student } = office()
  browser = await StudentBrowser.open(service(), school, student)
})

afterEach(async () => {
  await office().close()
  await server.close()
})

async function set(fields: object): Promise<void> {
  must(200, await office().school.client.patch('/tenant', fields))
}

/** Returns the messages as kind, address, state and reason. */
async function listed(): Promise<readonly string[]> {
  const messages = await office().messages()
  return messages
    .map(({ kind, to, state, reason }) => [kind, to, state, reason].filter(Boolean).join(' '))
    .toSorted()
}

async function sentAfter(now: string): Promise<readonly string[]> {
  office().moveClock(now)
  office().hire(server)
  await office().settled()
  return server.received.map(({ recipients, parsed }) => `${recipients[0]}: ${parsed.subject}`).toSorted()
}

describe('what a student did on the page', () => {
  it('is told to the instructor and the office, with names and times', async () => {
    const { id } = await office().lesson({ ...at('10:00', '11:00'), pickup_place: 'Bahnhof' })
    await browser.submit(id, 'cancel')
    expect(await listed()).toEqual([
      'student_cancelled jonas@reader.example waiting',
      'student_cancelled office@reader.example waiting',
    ])
    const sent = await sentAfter('2099-03-01T12:01:00Z')
    expect(sent.map((one) => one.split(':')[0])).toEqual(['jonas@reader.example', 'office@reader.example'])
    const [first] = server.received
    const { first_name, last_name } = office().student
    expect(first?.parsed.subject).toContain(`${first_name} ${last_name} hat abgesagt`)
    expect(first?.parsed.text).toContain('10:00–11:00')
    expect(first?.parsed.text).toContain('Bahnhof')
    expect(first?.parsed.text).not.toContain('von Ihnen')
    expect(first?.parsed.headers.has('list-unsubscribe')).toBe(false)
  })

  it.each([
    ['nobody', []],
    ['instructor', ['student_confirmed jonas@reader.example waiting']],
    ['office', ['student_confirmed office@reader.example waiting']],
  ] as const)('is told to %s, as the school chooses', async (student_actions, messages) => {
    await set({ messages: { student_actions } })
    const { id } = await office().lesson(at('10:00', '11:00'))
    await browser.submit(id, 'confirm')
    expect(await listed()).toEqual(messages)
  })

  it('of one minute is one mail', async () => {
    const [one, other, third] = [
      await office().lesson(at('10:00', '11:00')),
      await office().lesson(at('12:00', '13:00')),
      await office().lesson(at('14:00', '15:00')),
    ]
    await browser.submit(one.id, 'cancel')
    await office().messages()
    office().moveClock('2099-03-01T12:00:59Z')
    await browser.submit(other.id, 'cancel')
    await office().messages()
    office().moveClock('2099-03-01T12:01:00Z')
    await browser.submit(third.id, 'cancel')
    const sent = await sentAfter('2099-03-01T12:01:00Z')
    expect(sent).toHaveLength(2)
    expect(server.received[0]?.parsed.text).toMatch(/10:00–11:00[\s\S]*12:00–13:00/)
    expect(server.received[0]?.parsed.text).not.toContain('14:00')
    expect(await sentAfter('2099-03-01T12:02:00Z')).toHaveLength(4)
  })

  it('waits in quiet hours, unless the lesson begins before they end', async () => {
    await set({ messages: { quiet: { from: '13:00', to: '18:00' } } })
    const [soon, late] = [
      await office().lesson(at('17:59', '19:00', '2099-03-01')),
      await office().lesson(at('18:00', '19:00', '2099-03-02')),
    ]
    await browser.submit(soon.id, 'cancel')
    await browser.submit(late.id, 'cancel')
    const [first, second] = [...new Set((await office().messages()).map(({ send_at }) => send_at))].toSorted()
    expect([first, second]).toEqual(['2099-03-01T12:01:00.000Z', '2099-03-01T17:00:00.000Z'])
  })

  it('is a wish for the instructor whom it names, else for the preferred one', async () => {
    const other = await office().school.instructor({ email: 'mona@reader.example' })
    const path = `/students/${office().student.id}`
    must(200, await office().school.client.patch(path, { preferred_instructor_id: other.id }))
    await browser.pressWish({ act: 'wish', weekday: '4', minutes: '90' })
    expect(await listed()).toEqual([
      'student_wish mona@reader.example waiting',
      'student_wish office@reader.example waiting',
    ])
    await sentAfter('2099-03-01T12:01:00Z')
    expect(server.received[0]?.parsed.text).toMatch(/Do · 90/)
  })

  it('is not told if the wish or the lesson is gone before the mail leaves', async () => {
    const { id } = await office().lesson(at('10:00', '11:00'))
    await browser.submit(id, 'confirm')
    await browser.pressWish({ act: 'wish', weekday: '4', minutes: '90' })
    await office().messages()
    const { client } = office().school
    const wishes = (await client.get(`/students/${office().student.id}/wishes`)).body as unknown as {
      id: string
    }[]
    must(204, await client.delete(`/students/${office().student.id}/wishes/${wishes[0]?.id}`))
    must(204, await client.delete(`/appointments/${id}`))
    expect(await sentAfter('2099-03-01T12:01:00Z')).toEqual([])
    expect(await listed()).toEqual([
      'student_confirmed jonas@reader.example dropped cancelled',
      'student_confirmed office@reader.example dropped cancelled',
      'student_wish office@reader.example dropped withdrawn',
    ])
  })

  it('is told to nobody without an address, and stays in the inbox', async () => {
    await set({ office_email: null })
    must(200, await office().school.client.patch(`/instructors/${office().instructor.id}`, { email: null }))
    const { id } = await office().lesson(at('10:00', '11:00'))
    await browser.submit(id, 'cancel')
    expect(await listed()).toEqual([])
    const { entries } = must(200, await office().school.client.get('/inbox'))
    expect(entries).toMatchObject([{ kind: 'student_cancelled' }])
  })

  it('is not a message if the office does it', async () => {
    const { id } = await office().lesson(at('10:00', '11:00'))
    must(200, await office().school.client.post(`/appointments/${id}/cancel`, { by: 'student' }))
    expect(await listed()).toEqual([])
  })
})
