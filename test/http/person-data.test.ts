import { sql } from 'kysely'
import { beforeEach, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { type Answer, must } from '../support/client.ts'
import { anEnquiry } from '../support/enquiries.ts'
import { anEnrolmentOffice, type EnrolmentOffice } from '../support/enrolment-office.ts'
import { aSchool, aUser, enter, type Row } from '../support/factory.ts'
import { at } from '../support/times.ts'
import { plantTwin } from '../support/twin.ts'

const service = useService()
const WORD = 'Vogtland'
const OTHER = 'Zweitmann'
let office: EnrolmentOffice
let lena: Row
let mia: Row

/** A student with something in every section, and another one in the same group. */
beforeEach(async () => {
  office = await anEnrolmentOffice(service())
  const { school, classes } = office
  const { client } = school
  lena = await school.student({
    last_name: WORD,
    notes: `<b>${WORD}</b>`,
    email: 'lena@mail.example',
    license_class_template_id: classes.B,
  })
  mia = await school.student({ last_name: OTHER })
  await office.drive(lena, '2030-04-01', { notes: 'Parken' })
  const attendees = [{ student_id: lena.id }, { student_id: mia.id }]
  const { id: instructor_id } = await school.instructor()
  const { THEORY_BASIC } = school.lessonTypes
  const group = {
    instructor_id,
    lesson_type_id: THEORY_BASIC,
    attendees,
    notes: OTHER,
    ...at('18:00', '19:30', '2030-04-02'),
  }
  must(201, await client.post('/appointments', group))
  const [enrolment] = await office.enrolments(lena)
  must(
    200,
    await client.put(`/enrolments/${enrolment?.id}/ticks/first_aid`, { date: '2030-03-01', note: 'Kopie' }),
  )
  must(201, await client.post(`/students/${lena.id}/wishes`, { minutes: 90 }))
  must(200, await client.post(`/students/${lena.id}/link`))
})

const client = () => office.school.client
const statusOf = async (answer: Promise<Answer>) => (await answer).status
const clientOf = async (role: 'office' | 'instructor', more: object = {}) => {
  const { tenantId } = office.school
  const user = await aUser(service(), tenantId, { role, ...more })
  return (await enter(service(), { tenantId, user })).client
}
const data = async (): Promise<Readonly<Record<string, Row[]>>> => {
  const { sections } = must(200, await client().get(`/students/${lena.id}/data`))
  return Object.fromEntries(sections.map(({ name, rows }: Row) => [name, rows]))
}

it('the data has every section of the person, and nothing of another', async () => {
  must(204, await client().delete(`/students/${lena.id}`))
  const found = await data()
  expect(found.student).toMatchObject([{ last_name: WORD, notes: `<b>${WORD}</b>` }])
  expect(found.student?.[0]?.deleted_at).not.toBeNull()
  expect(found.enrolments).toMatchObject([{ license_class: 'B' }])
  expect(found.ticks).toMatchObject([{ license_class: 'B', kind: 'first_aid', note: 'Kopie' }])
  expect(found.appointments).toMatchObject([
    { start_at: '2030-04-01 10:00', notes: 'Parken', participants: null },
    { start_at: '2030-04-02 18:00', notes: null, participants: 2 },
  ])
  expect(found.wishes).toMatchObject([{ minutes: 90 }])
  expect(new Set(found.changes?.map(({ resource }) => resource))).toEqual(
    new Set(['student', 'enrolment', 'tick', 'wish', 'appointment']),
  )
  expect(found.changes?.[0]).toMatchObject({ action: 'created', actor: { kind: 'user', role: 'owner' } })
  const { text } = await client().get(`/students/${lena.id}/data`)
  for (const word of [OTHER, mia.id, 'Anna Office', 'token', 'hash']) expect(text).not.toContain(word)
})

it('the data has the enquiry that the person sent', async () => {
  const { id } = await anEnquiry(service(), office.school, { message: 'Abends, bitte.' })
  lena = must(201, await client().post(`/enquiries/${id}/enrol`))
  const { enquiries } = await data()
  expect(enquiries).toMatchObject([{ last_name: 'Wolf', message: 'Abends, bitte.' }])
  expect(Date.parse(String(enquiries?.[0]?.consent_at))).not.toBeNaN()
  const twin = await plantTwin(service(), office.school.tenantId, WORD)
  await sql`update enquiries set state = 'enrolled', student_id = ${lena.id}
    where tenant_id = ${twin}`.execute(service().db)
  expect((await data()).enquiries).toEqual(enquiries)
})

it('the page has the same for people, in the language of the school, and escapes texts', async () => {
  const { text, headers } = await client().get(`/students/${lena.id}/data.html`)
  expect(headers.get('content-type')).toContain('text/html')
  expect(headers.get('content-security-policy')).toContain("default-src 'none'")
  const isGerman = text.includes('<html lang="de"')
  for (const word of [isGerman ? 'Daten von' : 'Data of', isGerman ? 'Ausbildungen' : 'Trainings', 'Parken'])
    expect(text).toContain(word)
  expect(text).toMatch(/&(lt|#60);b&(gt|#62);Vogtland/)
  expect(text).not.toContain(`<b>${WORD}`)
  expect(text).not.toContain(OTHER)
  must(200, await client().patch('/tenant', { locale: isGerman ? 'en-GB' : 'de-DE' }))
  expect((await client().get(`/students/${lena.id}/data.html`)).text).toContain(
    isGerman ? 'Data of' : 'Daten von',
  )
})

const IN_WORDS = {
  'en-GB': [
    'Status:</strong> no-show',
    'Status:</strong> cancelled',
    'Outcome:</strong> moved to another school',
    'Kind:</strong> First aid course',
    'Weekdays:</strong> Monday; Friday',
    'Cancelled by: student, Note: wrong_day, Reason: illness',
    'Concerns:</strong> paper or test',
    'By:</strong> Kind: user, Role: owner',
    'Channel of messages:</strong> e-mail',
    'Notes:</strong> no_show',
  ],
  'de-DE': [
    'Status:</strong> nicht erschienen',
    'Status:</strong> abgesagt',
    'Ergebnis:</strong> Fahrschule gewechselt',
    'Art:</strong> Erste-Hilfe-Kurs',
    'Wochentage:</strong> Montag; Freitag',
    'Abgesagt durch: Fahrschüler, Notiz: wrong_day, Grund: Krankheit',
    'Betrifft:</strong> Nachweis oder Prüfung',
    'Durch:</strong> Art: Benutzer, Rolle: Inhaber',
    'Weg der Nachrichten:</strong> E-Mail',
    'Notizen:</strong> no_show',
  ],
}

it.each(Object.entries(IN_WORDS))(
  'the page has words of %s for codes, and free texts as they are',
  async (locale, words) => {
    must(200, await client().patch('/tenant', { locale }))
    must(200, await client().patch(`/students/${lena.id}`, { notes: 'no_show' }))
    const missed = await office.drive(lena, '2030-04-03')
    must(200, await client().patch(`/appointments/${missed.id}`, { status: 'no_show' }))
    const cancelled = await office.drive(lena, '2030-04-08')
    const cancellation = { by: 'student', reason: 'illness', note: 'wrong_day' }
    must(200, await client().post(`/appointments/${cancelled.id}/cancel`, cancellation))
    const [enrolment] = await office.enrolments(lena)
    const ended = { outcome: 'moved', ends_on: '2030-05-01' }
    must(200, await client().patch(`/enrolments/${enrolment?.id}`, ended))
    must(201, await client().post(`/students/${lena.id}/wishes`, { minutes: 45, weekdays: [1, 5] }))
    const brought = {
      lesson_type_id: office.school.lessonTypes.RURAL,
      units: 3,
      date: '2030-01-31',
      source: 'Berlin',
    }
    must(200, await client().put(`/students/${lena.id}/opening-balance`, [brought]))
    const { text } = await client().get(`/students/${lena.id}/data.html`)
    for (const word of words) expect(text).toContain(word)
    expect(text).not.toContain(String(brought.lesson_type_id))
    const body = text.slice(text.indexOf('<main'))
    expect(new Set(body.match(/\b[a-z]+(?:_[a-z]+)+\b/g))).toEqual(new Set(['no_show', 'wrong_day']))
  },
)

it('the owner and the office get it; of a restricted student only the owner, of an erased one nobody', async () => {
  const paths = ['data', 'data.html'].map((name) => `/students/${lena.id}/${name}`)
  const clerk = await clientOf('office')
  const { id: instructor_id } = await office.school.instructor()
  const instructor = await clientOf('instructor', { instructor_id })
  const other = await aSchool(service())
  for (const path of paths) {
    expect([path, await statusOf(clerk.get(path))]).toEqual([path, 200])
    expect([path, await statusOf(instructor.get(path))]).toEqual([path, 403])
    expect([path, await statusOf(other.client.get(path))]).toEqual([path, 404])
  }
  expect(must(200, await client().post(`/students/${lena.id}/erasure`, { reason: 'asked' })).state).toBe(
    'restricted',
  )
  for (const path of paths) {
    expect([path, await statusOf(clerk.get(path))]).toEqual([path, 404])
    expect([path, await statusOf(client().get(path))]).toEqual([path, 200])
  }
  const nora = await office.school.student()
  must(200, await client().post(`/students/${nora.id}/erasure`, { reason: 'asked' }))
  expect(await statusOf(client().get(`/students/${nora.id}/data`))).toBe(404)
})

it('the data ignores twin schools', async () => {
  const before = await data()
  for (const side of ['00000000', 'ffffffff'] as const)
    await plantTwin(service(), office.school.tenantId, WORD, side)
  expect(await data()).toEqual(before)
})
