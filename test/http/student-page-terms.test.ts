import { expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { Client, must } from '../support/client.ts'
import { aSchool } from '../support/factory.ts'

const service = useService()

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
