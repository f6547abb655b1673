import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { Client, must } from '../support/client.ts'
import { aSlug, enquiriesOf, FILLED, FORM_TYPE, openForm, sendForm } from '../support/enquiries.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
let school: School
let slug: string

beforeEach(async () => {
  school = await aSchool(service(), { name: 'Fahrschule Nord & Söhne' })
  slug = await openForm(school)
})

const visitor = () => new Client(service())
const look = (path: string, headers = {}) => visitor().get(`//e/${path}`, headers)
const set = (enquiries: object) => school.client.patch('/tenant', { enquiries })

describe('the settings of the form', () => {
  it('are off in a new school, and omitted ones stay', async () => {
    const fresh = await aSchool(service())
    const none = { enabled: false, classes: [], text: null, slug: null, origins: [] }
    expect((await fresh.client.get('/tenant')).body.enquiries).toEqual(none)
    const own = aSlug()
    const { body } = await fresh.client.patch('/tenant', { enquiries: { slug: own, text: 'Hello' } })
    expect(body.enquiries).toEqual({ ...none, slug: own, text: 'Hello' })
    const changed = await fresh.client.patch('/tenant', { enquiries: { enabled: true } })
    expect(changed.body.enquiries).toEqual({ ...none, slug: own, text: 'Hello', enabled: true })
    expect(Object.keys(changed.body.enquiries)).toEqual(Object.keys(none))
  })

  it.each([
    [{ slug: null }, '/enquiries/slug'],
    [{ slug: 'Nord' }, '/enquiries/slug'],
    [{ slug: 'ab' }, '/enquiries/slug'],
    [{ slug: '-nord' }, '/enquiries/slug'],
    [{ slug: 'nord--ost' }, '/enquiries/slug'],
    [{ slug: 'x'.repeat(61) }, '/enquiries/slug'],
    [{ origins: ['https://nord.example/'] }, '/enquiries/origins/0'],
    [{ origins: ['https://nord.example; script-src *'] }, '/enquiries/origins/0'],
    [{ origins: ['nord.example'] }, '/enquiries/origins/0'],
    [{ origins: ["'self'"] }, '/enquiries/origins/0'],
    [{ origins: ['*'] }, '/enquiries/origins/0'],
    [{ unknown: true }, '/enquiries/unknown'],
  ])('reject %j', async (settings, pointer) => {
    const { status, body } = await set(settings)
    expect([status, body.errors?.map((one: { pointer: string }) => one.pointer)]).toEqual([400, [pointer]])
  })

  it('give an address to one school of the whole service', async () => {
    const other = await aSchool(service())
    const { status, body } = await other.client.patch('/tenant', { enquiries: { slug } })
    expect([status, body.code, body.params]).toEqual([409, 'slug_taken', { slug }])
    must(200, await set({ enabled: false, slug: null }))
    must(200, await other.client.patch('/tenant', { enquiries: { slug } }))
    expect((await set({ slug })).body.code).toBe('slug_taken')
    // A school may send its own address again.
    must(200, await other.client.patch('/tenant', { enquiries: { slug, text: 'Hello' } }))
  })

  it('are changed by owners alone', async () => {
    const { aUser, enter } = await import('../support/factory.ts')
    const { tenantId } = school
    const user = await aUser(service(), tenantId, { role: 'office' })
    const office = await enter(service(), { tenantId, user })
    expect((await office.client.patch('/tenant', { enquiries: { text: 'x' } })).status).toBe(403)
  })
})

describe('the page', () => {
  it('has the text, the classes and the languages of the school, and no script and no cookie', async () => {
    must(200, await set({ text: 'We <call> you back.', classes: ['B', 'A2'] }))
    const { status, text, headers } = await look(slug, { 'accept-language': 'de' })
    expect(status).toBe(200)
    expect(text).toContain('<html lang="de" dir="ltr">')
    expect(text).toContain('Fahrschule Nord &#38; Söhne')
    expect(text).toContain('We &#60;call&#62; you back.')
    expect([...text.matchAll(/<option[^>]*>([^<]+)/g)].map(([, one]) => one)).toEqual(['B', 'A2'])
    expect(text).toContain('hreflang="tr"')
    expect(text).not.toContain('<script')
    expect(headers.get('set-cookie')).toBeNull()
    expect(headers.get('cache-control')).toBe('private, no-store')
  })

  it('offers the classes of the templates that are valid and not hidden', async () => {
    const options = async () =>
      [...(await look(slug)).text.matchAll(/<option[^>]*>([^<]+)/g)].map(([, one]) => one)
    const all = await options()
    expect(all).toContain('B')
    expect(new Set(all).size).toBe(all.length)
    must(200, await school.client.patch('/tenant', { hidden_license_classes: ['B'] }))
    expect(await options()).toEqual(all.filter((one) => one !== 'B'))
  })

  it.each([
    ['?lang=tr', 'en', 'tr'],
    ['?lang=pl', 'en', 'en'],
    ['', 'ru,en;q=0.5', 'ru'],
    ['', 'fr', 'de'],
    ['', undefined, 'de'],
  ])('with the query %s and Accept-Language %s is in %s', async (query, accepted, language) => {
    const { text } = await look(`${slug}${query}`, { 'accept-language': accepted ?? '*' })
    expect(text).toContain(`<html lang="${language}"`)
  })

  it('may be embedded by listed origins, and by nobody while there are none', async () => {
    const policyOf = async () => {
      const { headers } = await look(slug)
      const policy = headers.get('content-security-policy') ?? ''
      return [/frame-ancestors ([^;]+)/.exec(policy)?.[1], headers.get('x-frame-options')]
    }
    expect(await policyOf()).toEqual(["'none'", 'DENY'])
    must(200, await set({ origins: ['https://www.nord.example', 'http://localhost:8080'] }))
    expect(await policyOf()).toEqual(['https://www.nord.example http://localhost:8080', null])
    const refused = await sendForm(service(), slug, { phone: '' })
    expect(refused.headers.get('content-security-policy')).toContain('https://www.nord.example')
  })

  it('is the same 404 for an unknown, an impossible and a disabled address', async () => {
    const pages = []
    for (const path of [aSlug(), 'No Slug', 'x'.repeat(300), `${slug}/more`]) pages.push(await look(path))
    must(200, await set({ enabled: false }))
    pages.push(await look(slug))
    for (const { status, text } of pages) expect([status, text]).toEqual([404, pages[0]?.text])
    for (const phone of ['1234567', '']) {
      const { status, text } = await sendForm(service(), slug, { phone })
      expect([status, text]).toEqual([404, pages[0]?.text])
    }
    expect(await enquiriesOf(school)).toEqual([])
  })

  it('slows down a network that tries many addresses', async () => {
    const client = visitor()
    const statuses = []
    for (let at = 0; at < 61; at += 1) statuses.push((await client.get(`//e/none-${at}`)).status)
    expect(statuses).toEqual([...Array(60).fill(404), 429])
    expect((await client.get(`//e/${slug}`)).status).toBe(200)
  })
})

describe('a form that is sent', () => {
  it('is an enquiry that the office reads, and the page says thank you', async () => {
    const days = [
      ['weekday', '3'],
      ['weekday', '1'],
      ['time_from', '16:00'],
    ] as const
    const { status, text, headers } = await sendForm(service(), slug, days, { query: '?lang=en' })
    expect([status, headers.get('set-cookie')]).toEqual([202, null])
    expect(text).toContain('Thank you')
    const [enquiry, ...more] = await enquiriesOf(school)
    expect(more).toEqual([])
    const { consent: _, ...told } = FILLED
    expect(enquiry).toMatchObject({
      ...told,
      email: null,
      weekdays: [1, 3],
      time_from: '16:00',
      time_to: null,
      language: 'en',
      state: 'new',
      student_id: null,
      same_as: [],
      version: 1,
    })
  })

  it('may also be JSON, which is answered without a page', async () => {
    const given = { first_name: 'Mia', last_name: 'Wolf', email: 'mia@reader.example', license_class: 'B' }
    const { status, body } = await visitor().post(`//e/${slug}`, { ...given, consent: true })
    expect([status, body]).toEqual([202, {}])
    expect((await enquiriesOf(school))[0]).toMatchObject(given)
    const faulty = await visitor().post(`//e/${slug}`, { ...given, consent: false, state: 'enrolled' })
    expect([faulty.status, faulty.body.errors]).toMatchObject([400, [{ pointer: '/state' }]])
    const refused = await visitor().post(`//e/${slug}`, { ...given, consent: false, email: null })
    expect(refused.body.errors).toMatchObject([{ pointer: '/phone' }, { pointer: '/consent' }])
  })

  it.each([
    [{ first_name: ' ' }],
    [{ last_name: '' }],
    [{ phone: '', email: '' }],
    [{ email: 'mia' }],
    [{ consent: 'no' }],
    [{ license_class: 'Z' }],
    [{ weekday: '8' }],
    [{ time_from: '25:00' }],
    [{ time_from: '18:00', time_to: '16:00' }],
    [{ message: 'x'.repeat(1001) }],
    [{ first_name: 'x'.repeat(201) }],
  ])('with %j is refused, and shows again what was entered', async (fields) => {
    const { status, text } = await sendForm(service(), slug, { first_name: 'M"ia', ...fields })
    expect(status).toBe(400)
    expect(text).toContain('role="alert"')
    if (!('first_name' in fields)) expect(text).toContain('value="M&#34;ia"')
    expect(await enquiriesOf(school)).toEqual([])
  })

  it('is stored once, however often it is sent', async () => {
    const form_id = randomUUID()
    const answers = await Promise.all(Array.from({ length: 8 }, () => sendForm(service(), slug, { form_id })))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]))
    expect(await enquiriesOf(school)).toHaveLength(1)
    // The id of a form is the school's own matter.
    const other = await aSchool(service())
    must(202, await sendForm(service(), await openForm(other), { form_id }))
    expect(await enquiriesOf(other)).toHaveLength(1)
  })

  it('is dropped in silence if a program has filled in the hidden field', async () => {
    const { status, text } = await sendForm(service(), slug, { website: 'https://spam.example' })
    const right = await sendForm(service(), slug)
    expect([status, text]).toEqual([202, right.text])
    expect(await enquiriesOf(school)).toHaveLength(1)
  })

  it('is limited by network', async () => {
    const client = visitor()
    const statuses = []
    for (let at = 0; at < 21; at += 1)
      statuses.push((await sendForm(service(), slug, { phone: '' }, { client })).status)
    expect(statuses).toEqual([...Array(20).fill(400), 429])
    const { status, headers, text } = await sendForm(service(), slug, {}, { client })
    expect([status, Number(headers.get('retry-after')) > 3000]).toEqual([429, true])
    expect(text).toContain('value="Mia"')
    expect((await sendForm(service(), slug)).status).toBe(202)
    const json = await client.post(`//e/${slug}`, {})
    expect([json.status, json.body.code]).toEqual([429, 'too_many_requests'])
  })

  it('is limited by school, and other schools are not', async () => {
    const statuses = []
    for (let at = 0; at < 61; at += 1) statuses.push((await sendForm(service(), slug)).status)
    expect(statuses).toEqual([...Array(60).fill(202), 429])
    const other = await aSchool(service())
    expect((await sendForm(service(), await openForm(other))).status).toBe(202)
  })

  it('waits while too many have no answer', async () => {
    const { db } = service()
    await sql`insert into enquiries (tenant_id, id, form_id, first_name, last_name, license_class, language, consent_at, state)
      select ${school.tenantId}, gen_random_uuid(), gen_random_uuid(), 'M', 'W', 'B', 'de', now(), 'new'
      from generate_series(1, 500)`.execute(db)
    const { status, headers } = await sendForm(service(), slug)
    expect([status, headers.get('retry-after')]).toEqual([429, '3600'])
    const [{ id } = { id: '' }] = await enquiriesOf(school)
    must(200, await school.client.post(`/enquiries/${id}/close`))
    expect((await sendForm(service(), slug)).status).toBe(202)
    const other = await aSchool(service())
    expect((await sendForm(service(), await openForm(other))).status).toBe(202)
  })

  it('is refused if it is too long, or of another type', async () => {
    const long = await visitor().post(`//e/${slug}`, `message=${'x'.repeat(20_000)}`, FORM_TYPE)
    expect(long.status).toBe(413)
    const other = await visitor().post(`//e/${slug}`, 'first_name=Mia', { 'content-type': 'text/plain' })
    expect(other.status).toBe(415)
  })

  it('reveals nothing about students whom the school knows (S112)', async () => {
    await school.student({ first_name: 'Mia', last_name: 'Wolf', phone: FILLED.phone })
    const known = await sendForm(service(), slug)
    const unknown = await sendForm(service(), slug, {
      first_name: 'Nele',
      last_name: 'Kaya',
      phone: '1234567',
    })
    expect(known.text).toBe(unknown.text)
    expect([...known.headers.keys()]).toEqual([...unknown.headers.keys()])
  })
})
