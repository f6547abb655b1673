import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { useOwnService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { aSchool } from '../support/factory.ts'
import { type MailServer, type ReceivedMail, startMailServer } from '../support/mail-server.ts'
import { HERE } from '../support/use-outbox.ts'
import { hook, useWebhookDispatchers } from '../webhooks/dispatchers.ts'
import { day, useMessageOffice } from './message-office.ts'

const service = useOwnService({ webhookAllowedNetworks: HERE })
const office = useMessageOffice(service)
const { receive } = useWebhookDispatchers(service)
let server: MailServer

beforeEach(async () => {
  server = await startMailServer()
  await office().send({ booked: true, cancelled: true, day_plan: true, link: true })
})

afterEach(async () => {
  await office().close()
  await server.close()
})

const LATER = '2099-03-01T12:05:00Z'

async function speak(language: string | null, fields: object = {}): Promise<void> {
  must(200, await office().school.client.patch(`/students/${office().student.id}`, { language, ...fields }))
}

async function mailAbout(fields: object): Promise<ReadonlyMap<string, ReceivedMail>> {
  await office().lesson({ ...day('2099-03-09'), ...fields })
  office().moveClock(LATER)
  office().hire(server)
  const mails = await server.receives(1)
  return new Map(mails.map((mail) => [mail.recipients[0] ?? '', mail]))
}

describe('a mail', () => {
  it.each([
    ['tr', 'Merhaba Lena,', '9 Mart 2099 Pazartesi, 08:00–09:30', 'buluşma yeri: Bahnhof'],
    ['ru', 'Здравствуйте, Lena!', 'понедельник, 9 марта 2099 г., 08:00–09:30', 'место встречи: Bahnhof'],
    ['en', 'Hello Lena,', 'Monday, 9 March 2099, 08:00–09:30', 'meet at Bahnhof'],
    [null, 'Guten Tag Lena,', 'Montag, 9. März 2099, 08:00–09:30', 'Treffpunkt: Bahnhof'],
  ])('is in the language %s of the student, with its dates', async (language, ...texts) => {
    await speak(language)
    const mail = (await mailAbout({ pickup_place: 'Bahnhof' })).get('lena@reader.example')
    for (const text of texts) expect(mail?.parsed.text).toContain(text)
    expect(mail?.source).toMatch(new RegExp(`^Content-Language: ${language ?? 'de'}\r?$`, 'm'))
  })

  it('names the lesson type in the language of the student', async () => {
    await speak('tr')
    const mail = (await mailAbout({})).get('lena@reader.example')
    const page = must(200, await office().school.client.post(`/students/${office().student.id}/link`))
    const shown = await (await fetch(String(page.url))).text()
    const [, name = ''] = /\n([^·\n]+) · Jonas/.exec(mail?.parsed.text ?? '') ?? []
    expect(name).not.toMatch(/fahrt/i)
    expect(shown).toContain(name)
    expect(shown).toContain('lang="tr"')
  })

  it('in Arabic runs from right to left, and keeps times and places as they are', async () => {
    await speak('ar')
    const mail = (await mailAbout({ pickup_place: 'Bahnhof' })).get('lena@reader.example')
    expect(mail?.parsed.html).toContain('<html lang="ar" dir="rtl">')
    expect(mail?.parsed.text).toContain('\u2066\u200e08:00–09:30\u2069'.replace('\u200e', ''))
    expect(mail?.parsed.text).toContain('مكان اللقاء: \u2068Bahnhof\u2069')
    expect(mail?.parsed.subject).toMatch(/^\u200f/)
  })

  it('of a school without the language of its locale is in English', async () => {
    const school = await aSchool(service(), { country: 'FR', locale: 'es' })
    must(200, await school.client.patch('/tenant', { messages: { booked: true } }))
    const instructor = await school.instructor()
    const person = { email: 'ana@reader.example', messages_consent: true }
    const student = await school.student(person)
    await school.lesson({ instructor_id: instructor.id, student_id: student.id, ...day('2099-03-09') })
    office().moveClock(LATER)
    office().hire(server)
    const [mail] = await server.receives(1)
    expect(mail?.parsed.text).toContain('Hello Lena,')
  })
})

it('a message to a program names the language, and is written in it', async () => {
  const receiver = await receive()
  await hook(office().school, receiver.url, { events: ['message.send'] })
  await speak('tr', { message_channel: 'webhook', phone: '030 5550145' })
  await office().lesson(day('2099-03-09'))
  office().moveClock(LATER)
  office().hire(undefined)
  const [message] = await receiver.receives(1)
  const { data } = JSON.parse(message?.body ?? '')
  expect(data).toMatchObject({ language: 'tr' })
  expect(data.text).toContain('Bu ders sizin için ayırtıldı:')
})

it('the plan of a day is in the language of the school', async () => {
  const school = await aSchool(service(), { country: 'FR', locale: 'fr', timezone: 'Europe/Paris' })
  must(200, await school.client.patch('/tenant', { messages: { day_plan: true } }))
  const instructor = await school.instructor({ email: 'luc@reader.example' })
  const student = await school.student({ language: 'ar' })
  await school.lesson({ instructor_id: instructor.id, student_id: student.id, ...day('2099-03-02') })
  office().moveClock('2099-03-01T17:30:00Z')
  office().hire(server)
  const [mail] = await server.receives(1)
  expect(mail?.parsed.subject).toBe('Fahrschule Test\u00a0: votre programme du lundi 2 mars 2099')
  expect(mail?.parsed.text).toContain('Bonjour Jonas,')
})
