import { beforeEach, describe, expect, it } from 'vitest'
import { messagesFor } from '../../src/booking/packs/page-messages.ts'
import { languagesOf } from '../../src/domain/page-languages.ts'
import { useService } from '../support/app.ts'
import { Client, must } from '../support/client.ts'
import { aSchool, type School } from '../support/factory.ts'
import { templateOf } from '../support/trainer.ts'

const service = useService()
let school: School
let student: string
let enrolment: string

beforeEach(async () => {
  service().setClock(new Date('2026-05-04T08:00:00Z'))
  school = await aSchool(service())
  const license_class_template_id = await templateOf(school, 'B')
  ;({ id: student } = await school.student({ license_class_template_id, birth_date: '2000-01-31' }))
  ;[{ id: enrolment }] = must(200, await school.client.get(`/students/${student}/enrolments`))
})

async function page(language = 'de'): Promise<string> {
  const { url } = must(200, await school.client.post(`/students/${student}/link`))
  const { text } = await new Client(service()).get(`/${url.slice(service().url.length)}?lang=${language}`)
  return text
}

const put = async (kind: string, tick: object) =>
  must(200, await school.client.put(`/enrolments/${enrolment}/ticks/${kind}`, tick))

describe("a student's page", () => {
  it.each(languagesOf('DE'))('shows the own papers and what comes next in %s', async (language) => {
    await put('sight_test', { date: '2026-03-02', note: 'zeisig' })
    await put('photo', { date: '2024-03-02', valid_until: '2026-03-02' })
    const text = await page(language)
    const texts = messagesFor(language)
    const date = (day: string) =>
      new Intl.DateTimeFormat(`${texts.tag}-DE-u-nu-latn`, {
        ...{ day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' },
      }).format(new Date(day))
    const row = (kind: string, state: string) =>
      `<strong>${Object(texts)[`tick_${kind}`]}</strong> <span>${state}</span>`
    expect(text).toContain(row('sight_test', texts.tick_until.replace('{date}', date('2028-03-02'))))
    expect(text).toContain(row('photo', texts.tick_expired.replace('{date}', date('2026-03-02'))))
    expect(text).toContain(row('identity', texts.tick_missing))
    const papers = new Intl.ListFormat(texts.tag).format([texts.tick_identity, texts.tick_photo])
    const step = texts.step_papers.replace('{papers}', papers)
    expect(text).toContain(`<p class="hint">${texts.next_step.replace('{step}', step)}</p>`)
    expect(text).not.toContain('zeisig')
    expect(text).not.toContain(texts.tick_guardian_consent)
  })

  it('asks for no papers while the school keeps none here', async () => {
    const text = await page()
    const { papers, next_step, step_theory } = messagesFor('de')
    expect(text).not.toContain(papers)
    expect(text).toContain(next_step.replace('{step}', step_theory))
  })

  it('has no next step without a class', async () => {
    ;({ id: student } = await school.student())
    expect(await page()).not.toContain('class="hint"')
  })
})
