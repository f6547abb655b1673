import { beforeEach, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { CancellationOffice, step } from '../support/cancellation-office.ts'
import { Client, must } from '../support/client.ts'
import { aSchool } from '../support/factory.ts'

const service = useService()
let office: CancellationOffice
let path: string

beforeEach(async () => {
  office = await CancellationOffice.open(service())
  await office.policy(step({ hours: 72 }, 40), { categories: null, no_show: true, fee_percent: 90 })
  const { url } = must(200, await office.school.client.post(`/students/${office.student.id}/link`))
  path = `/${url.slice(service().url.length)}`
})

/** Returns the statuses on the page by the start of their lesson. */
async function statuses(language = 'en'): Promise<Readonly<Record<string, string>>> {
  const { text } = await new Client(service()).get(`${path}?lang=${language}`)
  const items = text.replaceAll('\u00a0', ' ').matchAll(/datetime="([^"]+)T([^"]+)"[\s\S]*?<\/li>/g)
  return Object.fromEntries(
    [...items].map(([item, day, time]) => [
      `${day} ${time}`,
      /class="status"[^>]*>([^<]*)</.exec(item)?.[1] ?? '',
    ]),
  )
}

const put = (id: string, charge: boolean) => office.school.client.put(`/appointments/${id}/fee`, { charge })

it("a student's page names a missed lesson with its fee, as it is decided now", async () => {
  const { id } = await office.lessonAt('2030-05-05 06:00', { status: 'no_show' })
  expect(await statuses()).toEqual({ '2030-05-05 06:00': 'you did not come · fee: 90 % of the price' })
  expect(await statuses('de')).toEqual({
    '2030-05-05 06:00': 'nicht erschienen · Gebühr: 90 % des Preises',
  })
  must(200, await put(id, false))
  expect(await statuses()).toEqual({ '2030-05-05 06:00': 'you did not come · no fee' })
  must(200, await office.school.client.patch(`/appointments/${id}`, { status: 'completed' }))
  expect(await statuses()).toEqual({})
})

it("a student's page names the party of a cancellation and its fee, before and after the lesson", async () => {
  const lesson = await office.lessonAt()
  const other = await office.lessonAt('2030-05-15 08:00')
  must(200, await office.cancel(lesson.id, { by: 'student', charge: true }))
  must(200, await office.cancel(other.id, { by: 'school' }))
  const start = '2030-05-08 08:00'
  expect(await statuses()).toEqual({
    [start]: 'cancelled by you · fee: 40 % of the price',
    '2030-05-15 08:00': 'cancelled by the driving school',
  })
  must(200, await put(lesson.id, false))
  expect((await statuses())[start]).toBe('cancelled by you · no fee')
  must(200, await put(lesson.id, true))
  service().setClock(new Date('2030-05-20T06:00:00Z'))
  expect(await statuses()).toEqual({ [start]: 'cancelled by you · fee: 40 % of the price' })
})

it("a student's page has the ten latest missed lessons of 90 days, and none of other students", async () => {
  const other = await office.school.student()
  await office.lessonAt('2030-05-04 08:00', { student_id: other.id, status: 'no_show' })
  await office.lessonAt('2030-01-05 08:00', { status: 'no_show' })
  const days = Array.from({ length: 11 }, (_, at) => `2030-04-${String(at + 11)} 08:00`)
  for (const day of days) await office.lessonAt(day, { status: 'no_show' })
  const deleted = await office.lessonAt('2030-05-03 08:00', { status: 'no_show' })
  await office.school.client.delete(`/appointments/${deleted.id}`)
  expect(Object.keys(await statuses())).toEqual(days.toReversed().slice(0, 10))
})

const POLICY = [
  { categories: ['practical_exam', 'theory_exam'], notice: { working_days: 6 }, fee_percent: 100 },
  { categories: null, notice: { hours: 48 }, fee_percent: 80 },
  { categories: null, notice: { days_before: 1, until: '13:00' }, fee_percent: 50 },
  { categories: null, no_show: true, fee_percent: 90 },
]

it("a student's page has the policy of the school in its own language, then the school's own text", async () => {
  const school = await aSchool(service())
  const { id } = await school.student()
  const { url } = must(200, await school.client.post(`/students/${id}/link`))
  const path = url.slice(service().url.length)
  const pageIn = async (language: string) =>
    (await new Client(service()).get(`/${path}?lang=${language}`)).text.replaceAll('\u00a0', ' ')
  expect(await pageIn('de')).not.toContain('Regeln für Absagen')
  must(200, await school.client.patch('/tenant', { cancellation_policy: POLICY }))
  const german = await pageIn('de')
  for (const text of [
    'Regeln für Absagen',
    'Praktische Prüfung und Theoretische Prüfung (Vorstellung): Weniger als 6 Tage vor dem Termin: 100 % des Preises.',
    '<li>Weniger als 48 Stunden vor dem Termin: 80 % des Preises.</li>',
    '<li>Nach 13:00 Uhr, 1 Tag vor dem Termin: 50 % des Preises.</li>',
    '<li>Nicht erschienen, ohne abzusagen: 90 % des Preises.</li>',
    'Samstage, Sonntage und Feiertage zählen nicht mit.',
    'Sonst ist die Absage kostenlos.',
  ])
    expect(german).toContain(text)
  expect(await pageIn('en')).toContain('<li>Less than 48 hours before the lesson: 80 % of the price.</li>')
  expect(await pageIn('ru')).toContain('Менее чем за 48 часов до занятия: 80 % стоимости.')
  expect(await pageIn('tr')).toContain('Diğer durumlarda iptal ücretsizdir.')
  must(200, await school.client.patch('/tenant', { cancellation_terms: 'Bei Krankheit mit Attest.' }))
  const both = await pageIn('en')
  expect(both.indexOf('Bei Krankheit mit Attest.')).toBeGreaterThan(both.indexOf('Less than 48 hours'))
  must(200, await school.client.patch('/tenant', { cancellation_policy: [] }))
  expect(await pageIn('en')).not.toContain('Otherwise cancelling')
})
