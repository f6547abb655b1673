import { sql } from 'kysely'
import ical, { type VEvent } from 'node-ical'
import { beforeAll, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { type Answer, Client, type Headings } from '../support/client.ts'
import { erase } from '../support/erasure.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'

const service = useService()
/** Read once: midnight may pass during a test. */
const TODAY = Date.now()
let school: School
let student: Row
let instructor: Row

/** A word in all data that must never be on a page. Lesson types and classes are as in `packs/DE.json`. */
const CANARY = 'zeisig'

beforeAll(async () => {
  school = await aSchool(service())
  const terms = 'Bis 48 Stunden vorher <b>kostenlos</b>.\nDanach 50 %.'
  const contact = { phone: '+49 30 5550100', email: 'a?b&c@nord.example' }
  await school.client.patch('/tenant', { ...contact, cancellation_terms: terms })
  const templates = (await school.client.get('/license-class-templates')).body
  const license_class_template_id = templates.find(({ code }: { code: string }) => code === 'B').id
  const secret = { last_name: CANARY, email: `${CANARY}@x.example`, phone: `0171 ${CANARY}`, notes: CANARY }
  student = await school.student({ first_name: 'Lena', license_class_template_id, ...secret })
  instructor = await school.instructor({ ...secret, notes: undefined, first_name: 'Jonas' })
  const other = await school.student({ first_name: CANARY, last_name: CANARY })
  await lessonOn(3, { notes: CANARY, title: CANARY })
  await lessonOn(5, { student_id: other.id })
  const cancelled = await lessonOn(7)
  await school.client.patch(`/appointments/${cancelled.id}`, { status: 'cancelled' })
  const past = await lessonOn(-3)
  await school.client.patch(`/appointments/${past.id}`, { status: 'completed' })
})

function lessonOn(days: number, more: object = {}): Promise<Row> {
  const date = dayIn(days)
  const times = { start_at: `${date} 08:00`, end_at: `${date} 09:30` }
  return school.lesson({ instructor_id: instructor.id, student_id: student.id, ...times, ...more })
}

function dayIn(days: number): string {
  return new Date(TODAY + days * 86_400_000).toISOString().slice(0, 10)
}

async function linkOf({ client }: School, { id }: Row): Promise<string> {
  const { status, body } = await client.post(`/students/${id}/link`)
  expect(status).toBe(200)
  expect(body.url).toMatch(new RegExp(`^${service().url}/s/[\\w-]{65}$`))
  return `/${body.url.slice(service().url.length)}`
}

const look = (path: string, headers: Headings = {}): Promise<Answer> =>
  new Client(service()).get(path, headers)

describe("a student's page", () => {
  it("shows the upcoming lessons with their times, and the student's progress", async () => {
    const { status, text } = await look(await linkOf(school, student))
    expect(status).toBe(200)
    expect(text).toContain('<html lang="de" dir="ltr">')
    expect(text).toContain('Fahrstunden von Lena')
    expect(text.match(/<time datetime="([^"]+)"/g)).toEqual(
      [3, 7].map((days) => `<time datetime="${dayIn(days)}T08:00"`),
    )
    expect(text).toContain('08:00–09:30')
    expect(text).toContain('mit Jonas')
    expect(text.match(/class="cancelled"/g)).toHaveLength(1)
    expect(text).toContain('Überlandfahrt (Sonderfahrt)')
    expect(text).toMatch(/0 von 5 erledigt/)
    expect(text).toContain('<a href="tel:+49305550100">')
    expect(text).toContain(
      '<a href="mailto:a%3Fb%26c@nord.example"><bdi dir="ltr">a?b&#38;c@nord.example</bdi>',
    )
  })

  it('shows no data of other students, no notes of the office and no ids', async () => {
    const path = await linkOf(school, student)
    for (const address of [path, `${path}.ics`]) {
      const { status, text } = await look(address)
      expect([status, text.includes('Jonas')]).toEqual([200, true])
      expect(text.toLowerCase()).not.toContain(CANARY)
      expect(text).not.toContain(student.id)
      expect(text).not.toContain(school.tenantId)
    }
  })

  it('escapes HTML in texts of users (S85)', async () => {
    const { text } = await look(await linkOf(school, student))
    expect(text).toContain('&#60;b&#62;kostenlos&#60;/b&#62;')
    expect(text).not.toContain('<b>kostenlos')
  })

  it('runs no scripts, loads only its manifest, and is neither cached nor indexed', async () => {
    const { headers, text } = await look(await linkOf(school, student))
    const policy = headers.get('content-security-policy')
    expect(policy).toMatch(
      /^default-src 'none';style-src 'sha256-[\w+/=]+';base-uri 'none';form-action 'none'/,
    )
    expect(headers.get('cache-control')).toBe('private, no-store')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('x-robots-tag')).toBe('noindex, nofollow')
    expect(text).toContain('<meta name="robots" content="noindex, nofollow">')
    const links = text.match(/<link[^>]*>/g)
    expect(links).toEqual([expect.stringMatching(/^<link rel="manifest" href="[^"]+\.webmanifest">$/)])
    expect(text).not.toMatch(/<script|<img|<iframe|style="|\son\w+="/)
    const addresses = [...text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, address = '']) => address)
    expect(addresses.length).toBeGreaterThan(5)
    for (const address of addresses)
      expect(address).toMatch(/^(tel:|mailto:|\?lang|(webcal|http):\/\/127\.0\.0\.1)/)
    expect(headers.get('content-encoding')).toBeNull()
  })

  it.each([
    ['tr', 'ltr', 'Direksiyon dersleri: Lena', /mit Jonas|Eğitmen: Jonas/],
    ['ar', 'rtl', 'دروس القيادة: Lena', /<bdi dir="ltr">08:00–09:30<\/bdi>/],
    ['ru', 'ltr', 'Занятия: Lena', /с инструктором: Jonas/],
    ['en', 'ltr', 'Driving lessons of Lena', /Practice drive \(basic training\)/],
  ])('is in %s if the browser or the address requests it', async (language, direction, title, words) => {
    const path = await linkOf(school, student)
    for (const answer of [
      await look(path, { 'accept-language': `${language}-XX,${language};q=0.9` }),
      await look(`${path}?lang=${language}`, { 'accept-language': 'de' }),
    ]) {
      expect(answer.text).toContain(`<html lang="${language}" dir="${direction}">`)
      expect(answer.text).toContain(title)
      expect(answer.text).toMatch(words)
    }
  })

  it.each(['xx', '', 'de&lang=tr', '"><script>'])(
    'falls back to the language of the school for ?lang=%s',
    async (lang) => {
      const { status, text } = await look(`${await linkOf(school, student)}?lang=${lang}`)
      expect(status).toBe(200)
      expect(text).toContain('<html lang="de"')
      expect(text).not.toContain('<script')
    },
  )

  it('is also available as a calendar feed', async () => {
    const path = `${await linkOf(school, student)}.ics`
    const { headers, text } = await look(path)
    const events = Object.values(ical.sync.parseICS(text)).filter(
      (one): one is VEvent => one?.type === 'VEVENT',
    )
    expect(events.map(({ summary, status }) => [summary, status])).toEqual([
      ['Übungsfahrt (Grundausbildung)', 'CONFIRMED'],
      ['Abgesagt: Übungsfahrt (Grundausbildung)', 'CANCELLED'],
    ])
    expect(headers.get('content-type')).toBe('text/calendar; charset=utf-8')
    expect(headers.get('x-robots-tag')).toBe('noindex, nofollow')
    const again = await look(path, { 'if-none-match': headers.get('etag') ?? '' })
    expect(again.status).toBe(304)
  })

  it('works without lessons, class, phone number and cancellation terms', async () => {
    const bare = await aSchool(service())
    const { status, text } = await look(await linkOf(bare, await bare.student()))
    expect(status).toBe(200)
    expect(text).toContain('Keine Termine geplant.')
    expect(text).not.toMatch(/tel:|null|undefined|Fortschritt|Absagen/)
  })
})

describe("a student's link", () => {
  const gone = async (path: string) => {
    const { status, text } = await look(path)
    return [status, text]
  }

  it('returns the same 404 page if it is unknown, replaced, deleted or foreign', async () => {
    const [status, same] = await gone(`//s/${'A'.repeat(65)}`)
    expect(status).toBe(404)
    expect(same).toContain('This page does not exist')
    const path = await linkOf(school, student)
    for (const address of [`${path}x`, `${path.slice(0, -1)}`, `${path}/`, '//s/x', '//s/', `${path}x.ics`])
      expect(await gone(address), address).toEqual([404, same])
    const next = await linkOf(school, student)
    expect(await gone(path)).toEqual([404, same])
    await school.client.delete(`/students/${student.id}/link`)
    expect(await gone(next)).toEqual([404, same])
    const other = await aSchool(service())
    const foreign = await linkOf(other, await other.student())
    const own = await linkOf(school, student)
    expect(await gone(own.replace(own.slice(4, 26), foreign.slice(4, 26)))).toEqual([404, same])
    const feed = await school.client.post(`/instructors/${instructor.id}/calendar-feed`, { detail: 'full' })
    expect(await gone(`//s/${feed.body.url.split('/').at(-1).replace('.ics', '')}`)).toEqual([404, same])
  })

  it('shows the 404 page in the language of the browser', async () => {
    const { text, headers } = await look(`//s/${'A'.repeat(65)}`, { 'accept-language': 'ar' })
    expect(text).toContain('<html lang="ar" dir="rtl">')
    expect(headers.get('x-robots-tag')).toBe('noindex, nofollow')
    expect(headers.get('cache-control')).toBe('private, no-store')
  })

  it('stays invalid after the student is deleted and restored, until a new one is created (S109)', async () => {
    const leaver = await school.student()
    const path = await linkOf(school, leaver)
    await school.client.delete(`/students/${leaver.id}`)
    expect((await look(path)).status).toBe(404)
    expect((await school.client.get(`/students/${leaver.id}/link`)).status).toBe(404)
    await school.client.post(`/students/${leaver.id}/restore`)
    expect((await look(path)).status).toBe(404)
    expect((await school.client.get(`/students/${leaver.id}/link`)).body).toEqual({ link: null })
    expect((await look(await linkOf(school, leaver))).status).toBe(200)
    expect((await look(path)).status).toBe(404)
  })

  it('is deleted with the student, and an erasure removes its values from the log', async () => {
    const leaver = await school.student()
    const path = await linkOf(school, leaver)
    const links = () =>
      service().db.selectFrom('links').where('student_id', '=', leaver.id).select('id').execute()
    expect(await links()).toHaveLength(1)
    await school.client.delete(`/students/${leaver.id}`)
    expect(await links()).toEqual([])
    await erase(service(), school.tenantId, leaver.id)
    expect(await links()).toEqual([])
    expect((await look(path)).status).toBe(404)
    const told = await school.client.get('/changes?resource=student_link&limit=1')
    expect(told.body).toMatchObject([{ action: 'deleted', before: null, after: null }])
  })
})

describe('GET /students/{id}/link', () => {
  it('returns when the link was last opened, but not its address', async () => {
    const path = `/students/${student.id}/link`
    const page = await linkOf(school, student)
    expect((await school.client.get(path)).body.link.used_at).toBeNull()
    await look(page)
    // The use is recorded after the response.
    await expect.poll(async () => (await school.client.get(path)).body.link.used_at).toMatch(/Z$/)
    const { text } = await school.client.get(path)
    expect(text).not.toContain(page.slice(-43))
    await school.client.delete(path)
    expect((await school.client.get(path)).body).toEqual({ link: null })
  })
})

it("a student's page returns 404 after half a year without lessons, until there is one again", async () => {
  const school = await aSchool(service())
  const [instructor, graduate] = [await school.instructor(), await school.student()]
  const { body } = await school.client.post(`/students/${graduate.id}/link`)
  const path = `/${body.url.slice(service().url.length)}`
  const status = async () => (await new Client(service()).get(path)).status
  const today = Date.now()
  const lessonOn = (days: number, more: object = { student_id: graduate.id }) => {
    const date = new Date(today + days * 86_400_000).toISOString().slice(0, 10)
    const times = { start_at: `${date} 08:00`, end_at: `${date} 09:30` }
    return school.lesson({ instructor_id: instructor.id, ...times, ...more })
  }
  expect(await status()).toBe(200)
  await sql`update links set created_at = now() - interval '7 months'
    where tenant_id = ${school.tenantId} and student_id = ${graduate.id}`.execute(service().db)
  expect(await status()).toBe(404)
  await lessonOn(-200)
  expect(await status()).toBe(404)
  const lesson_type_id = school.lessonTypes.THEORY_BASIC
  const { id } = await lessonOn(-90, { lesson_type_id, attendees: [{ student_id: graduate.id }] })
  expect(await status()).toBe(200)
  await school.client.delete(`/appointments/${id}`)
  expect(await status()).toBe(404)
  await lessonOn(-100)
  expect(await status()).toBe(200)
})
