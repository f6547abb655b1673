import { afterEach, beforeEach, expect, it } from 'vitest'
import type { MailConfig } from '../../src/mail/mail-config.ts'
import { useOwnService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { enquiriesOf, FILLED, openForm, sendForm } from '../support/enquiries.ts'
import { aSchool, type School } from '../support/factory.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { mailsIn, useMailDispatchers } from './outbox.ts'

const nobody: MailConfig = {
  host: '127.0.0.1',
  port: 9,
  tls: 'none',
  user: undefined,
  password: undefined,
  from: { name: undefined, address: 'noreply@fahrplan.example' },
}
const service = useOwnService({ mail: nobody, publicUrl: 'https://fahrplan.example' })
const hire = useMailDispatchers(service)
let server: MailServer
let school: School

beforeEach(async () => {
  server = await startMailServer()
  school = await aSchool(service(), { locale: 'de', name: 'Fahrschule Nord' })
})

afterEach(() => server.close())

const toOffice = (office_email: string | null) => school.client.patch('/tenant', { office_email })

it('an enquiry is told to the office by mail, without what it says', async () => {
  must(200, await toOffice('office@reader.example'))
  const slug = await openForm(school)
  must(202, await sendForm(service(), slug, { email: 'mia@reader.example' }))
  hire(server.config)
  const [mail] = await server.receives(1)
  expect(mail?.recipients).toEqual(['office@reader.example'])
  expect(mail?.parsed.subject).toBe('Fahrschule Nord: eine neue Anfrage')
  const text = `${mail?.parsed.subject} ${mail?.parsed.text} ${mail?.parsed.html || ''}`
  expect(text).toContain('https://fahrplan.example/enquiries')
  const said = [FILLED.first_name, FILLED.last_name, '5550199', FILLED.message, 'mia@reader.example']
  expect(said.filter((one) => text.includes(one))).toEqual([])
  expect(await enquiriesOf(school)).toHaveLength(1)
})

it('an enquiry is told to nobody without an address of the office, or if it is refused', async () => {
  const slug = await openForm(school)
  must(202, await sendForm(service(), slug))
  expect(await enquiriesOf(school)).toHaveLength(1)
  must(200, await toOffice('office@reader.example'))
  expect((await sendForm(service(), slug, { phone: '', email: '' })).status).toBe(400)
  expect(await mailsIn(service())).toEqual([])
})
