import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { day, useMessageOffice } from './message-office.ts'

const service = useService()
const office = useMessageOffice(service)
let server: MailServer

beforeEach(async () => {
  server = await startMailServer()
  await office().send({ booked: true, day_plan: true })
})

afterEach(async () => {
  await office().close()
  await server.close()
})

/** Sends the message of a booking, and returns the address by which its recipient ends messages. */
async function unsubscribeAddress(): Promise<string> {
  await office().lesson(day('2099-03-09'))
  office().moveClock('2099-03-01T12:05:00Z')
  office().hire(server)
  const [mail] = await server.receives(1)
  expect(mail?.source).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r?$/m)
  const [, address = ''] = /^List-Unsubscribe:\s+<([^>]+)>/m.exec(mail?.source ?? '') ?? []
  return address
}

const agrees = async () =>
  (await office().school.client.get(`/students/${office().student.id}`)).body.messages_consent

describe('a mail to a student', () => {
  it.each([
    ['a form', new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })],
    ['parts', formOf({ 'List-Unsubscribe': 'One-Click' })],
  ])(
    'has an address at which a mail program ends messages by %s, in the name of the student',
    async (_, body) => {
      const address = await unsubscribeAddress()
      expect(await agrees()).toBe(true)
      const answer = await fetch(address, { method: 'POST', body, redirect: 'manual' })
      expect([answer.status, answer.headers.get('set-cookie')]).toEqual([200, null])
      expect(await answer.text()).toContain('Sie bekommen keine Nachrichten mehr.')
      expect(await agrees()).toBe(false)
      const { school, student } = office()
      const { body: history } = await school.client.get(`/students/${student.id}/history`)
      expect(history[0]).toMatchObject({
        actor: { kind: 'student', id: student.id },
        after: { messages_consent: false },
      })
      expect((await fetch(address, { method: 'POST', body })).status).toBe(200)
      expect((await school.client.get(`/students/${student.id}/history`)).body).toHaveLength(history.length)
    },
  )

  it('changes nothing when its address is only opened, which shows a button', async () => {
    const address = await unsubscribeAddress()
    const page = await fetch(`${address}?lang=en`)
    expect([page.status, page.headers.get('set-cookie')]).toEqual([200, null])
    expect(await page.text()).toContain('<form method="post"><button>Stop messages</button></form>')
    expect(await agrees()).toBe(true)
  })

  it("shows the button in the student's language", async () => {
    must(200, await office().school.client.patch(`/students/${office().student.id}`, { language: 'tr' }))
    const address = await unsubscribeAddress()
    expect(await (await fetch(address)).text()).toContain('<html lang="tr"')
  })

  it('ends messages of no other student, and no longer of a deleted one', async () => {
    const address = await unsubscribeAddress()
    const { school, student } = office()
    const other = await school.student({ messages_consent: true })
    const ids = [student.id, other.id].map((id) =>
      Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url'),
    )
    const forged = [
      address.replace(String(ids[0]), String(ids[1])),
      address.slice(0, -1),
      `${address}A`,
      `${service().url}/u/x`,
    ]
    for (const one of forged) expect((await fetch(one, { method: 'POST' })).status).toBe(404)
    expect((await school.client.get(`/students/${other.id}`)).body.messages_consent).toBe(true)
    must(204, await school.client.delete(`/students/${student.id}`))
    expect((await fetch(address, { method: 'POST' })).status).toBe(404)
  })

  it('is unlike one to an instructor, who has no such address', async () => {
    await office().lesson(day('2099-03-02'))
    office().moveClock('2099-03-01T17:00:00Z')
    office().hire(server)
    const received = await server.receives(2)
    const toInstructor = received.find(({ recipients }) => recipients.includes('jonas@reader.example'))
    expect(toInstructor?.source).not.toContain('List-Unsubscribe')
  })
})

function formOf(fields: Readonly<Record<string, string>>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  return form
}
