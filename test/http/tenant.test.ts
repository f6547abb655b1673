import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { changesOf, Follower } from '../support/changes.ts'
import { FIELDS, fingerprint } from '../support/corpus.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
let school: School

beforeEach(async () => {
  school = await aSchool(service())
})

const HOURS = [
  { weekday: 1, start: '08:00', end: '17:00' },
  { weekday: 2, start: '08:00', end: '24:00' },
]
const CHANGE = {
  name: 'Fahrschule Süd',
  locale: 'fr-CH',
  email: 'office@sued.example',
  office_email: 'planning@sued.example',
  availability_round: { weekday: 4, time: '17:00' },
  default_max_daily_units: 8,
  default_max_weekly_units: null,
  default_required_break_minutes: 10,
  default_max_continuous_minutes: null,
  default_availability_windows: HOURS,
  hidden_license_classes: ['D', 'CE'],
}
const NAME = { first_name: 'Jonas', last_name: 'Brandt' }
const change = (body: object, headers = {}) => school.client.patch('/tenant', body, headers)
/** Returns the value as JSON, without names, versions and times of change. */
const withoutNames = (value: unknown) =>
  JSON.stringify(value, (key, one) =>
    ['name', 'former_names', 'updated_at', 'version'].includes(key) ? undefined : one,
  )
const read = async () => (await school.client.get('/tenant')).body

describe('the school', () => {
  it('has an ETag, and is the same in /bootstrap and /auth/me', async () => {
    const { status, headers, body } = await school.client.get('/tenant', { 'accept-encoding': 'identity' })
    expect([status, headers.get('etag'), body.version]).toEqual([200, '"1"', 1])
    expect((await school.client.get('/bootstrap')).body.tenant).toEqual(body)
    expect((await school.client.get('/auth/me')).body.tenant).toEqual(body)
    expect((await school.client.get('/tenant', { 'if-none-match': '"1"' })).status).toBe(304)
  })

  it('is changed immediately in /tenant, /bootstrap and /auth/me', async () => {
    const before = await read()
    const { status, headers, body } = await change(CHANGE, {
      'if-match': '"1"',
      'accept-encoding': 'identity',
    })
    expect([status, headers.get('etag')]).toEqual([200, '"2"'])
    expect(body).toEqual({ ...before, ...CHANGE, version: 2, updated_at: body.updated_at })
    expect(await read()).toEqual(body)
    expect((await school.client.get('/bootstrap')).body.tenant).toEqual(body)
    expect((await school.client.get('/auth/me')).body.tenant).toEqual(body)
  })

  it('applies changed defaults to new instructors only', async () => {
    const { body: old } = await school.client.post('/instructors', NAME)
    await change(CHANGE)
    expect((await school.client.post('/instructors', NAME)).body).toMatchObject({
      max_daily_units: 8,
      max_weekly_units: null,
      required_break_minutes: 10,
      max_continuous_minutes: null,
      availability_windows: HOURS,
    })
    const free = await school.client.post('/instructors', { ...NAME, availability_windows: [] })
    expect(free.body.availability_windows).toEqual([])
    expect((await school.client.get(`/instructors/${old.id}`)).body).toEqual(old)
  })

  it('translates lesson types and classes with its language, and keeps their ids and colours', async () => {
    const catalogue = async () => [
      (await school.client.get('/lesson-types')).body,
      (await school.client.get('/license-class-templates')).body,
    ]
    const german = await catalogue()
    await change({ locale: 'en' })
    const english = await catalogue()
    expect(withoutNames(english)).toEqual(withoutNames(german))
    expect(german[0][0].name).toBe('Übungsfahrt (Grundausbildung)')
    expect(english[0][0]).toMatchObject({
      name: 'Practice drive (basic training)',
      former_names: ['Übungsfahrt (Grundausbildung)'],
    })
    await change({ locale: 'de' })
    expect((await catalogue()).map((list) => list.map(({ name }: { name: string }) => name))).toEqual(
      german.map((list) => list.map(({ name }: { name: string }) => name)),
    )
  })

  it('still accepts hidden classes, and keeps them for students and instructors', async () => {
    const { body: templates } = await school.client.get('/license-class-templates')
    const license_class_template_id = templates.find(({ code }: { code: string }) => code === 'T').id
    const { body: jonas } = await school.client.post('/instructors', { ...NAME, license_classes: ['T'] })
    const { body: lena } = await school.client.post('/students', { ...NAME, license_class_template_id })
    await change({ hidden_license_classes: ['T'] })
    expect((await school.client.get('/license-class-templates')).body).toEqual(templates)
    expect((await school.client.get(`/instructors/${jonas.id}`)).body).toEqual(jonas)
    expect((await school.client.get(`/students/${lena.id}`)).body).toEqual(lena)
    const another = await school.client.post('/students', { ...NAME, license_class_template_id })
    expect(another.status).toBe(201)
  })

  it('is unchanged if the same objects are sent with their keys in another order', async () => {
    const sent = {
      cancellation_policy: [
        { categories: null, notice: { days_before: 1, until: '13:00', working: true }, fee_percent: 50 },
        { categories: ['special'], notice: { hours: 48 }, fee_percent: 80 },
      ],
      messages: { booked: true, quiet: { from: '21:00', to: '07:00' } },
      student_actions: { confirm: true, proof: 'none' },
      record: { signatures: ['school', 'student'], content: 'defect' },
    }
    const { body: changed } = await change(sent)
    const again = await change(reordered(sent) as object)
    expect([again.status, again.body]).toEqual([200, changed])
    expect(changed).toMatchObject(sent)
  })

  it('is logged with the changed fields, and only if something has changed', async () => {
    const follower = await Follower.begin(school.client)
    await change({ name: 'Fahrschule Süd', default_max_daily_units: 11 })
    await change({ name: 'Fahrschule Süd' })
    await change({ default_availability_windows: [] })
    await change({})
    const [newest, founding] = await changesOf(school.client, '?resource=tenant')
    expect(newest).toMatchObject({
      action: 'changed',
      resource_id: school.tenantId,
      before: { name: 'Fahrschule Test', version: 1 },
      after: { name: 'Fahrschule Süd', version: 2 },
    })
    expect(founding).toMatchObject({ action: 'created', after: { version: 1 } })
    expect(await follower.poll()).toEqual([newest])
  })

  it('accepts exactly one of three concurrent changes with the same If-Match; the others get 412', async () => {
    const answers = await Promise.all(['A', 'B', 'C'].map((name) => change({ name }, { 'if-match': '"1"' })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412])
    expect((await read()).version).toBe(2)
  })

  it('is changed without affecting another school', async () => {
    const theirs = await aSchool(service())
    const before = (await theirs.client.get('/tenant')).body
    await change(CHANGE)
    expect((await theirs.client.get('/tenant')).body).toEqual(before)
    expect((await theirs.client.get('/lesson-types')).body[0].name).toBe('Übungsfahrt (Grundausbildung)')
  })
})

describe('an invalid change of the school', () => {
  const { instructors, students } = FIELDS
  const rules = {
    name: students.first_name,
    default_max_daily_units: instructors.max_daily_units,
    default_max_weekly_units: instructors.max_weekly_units,
    default_required_break_minutes: instructors.required_break_minutes,
    default_max_continuous_minutes: instructors.max_continuous_minutes,
    default_availability_windows: instructors.availability_windows,
    hidden_license_classes: instructors.license_classes,
    locale: {
      good: ['de', 'fr-CH', 'nds'],
      bad: ['', 'x', 'xx', 'DE', 'de-ch', 'de_CH', 'de-DE-1996', 5, null],
      inside: [],
    },
  }

  it.each(Object.entries(rules))(
    'returns 400 for every bad value of %s, and writes nothing',
    async (name, rule) => {
      const before = await fingerprint(service(), school.tenantId)
      const cases = [...(rule?.bad ?? []).map((value) => [value, ''] as const), ...(rule?.inside ?? [])]
      expect(cases.length).toBeGreaterThan(5)
      for (const [value, at] of cases) {
        const { status, body } = await change({ [name]: value })
        expect([status, body.errors?.[0].pointer], JSON.stringify(value)).toEqual([400, `/${name}${at}`])
      }
      expect(await fingerprint(service(), school.tenantId)).toBe(before)
      for (const value of rule?.good ?? []) expect((await change({ [name]: value })).status).toBe(200)
      expect(await fingerprint(service(), school.tenantId)).not.toBe(before)
    },
  )

  it('returns 400 for an email that mails cannot name to everybody, but not for its domain', async () => {
    for (const email of ['büro@nord.example', 'büro@schüle.example', 'office\u200b@nord.example']) {
      const { status, body } = await change({ email })
      expect([email, status, body.errors]).toEqual([
        email,
        400,
        [expect.objectContaining({ pointer: '/email', code: 'invalid_format' })],
      ])
    }
    expect((await change({ email: 'office@schüle.example' })).status).toBe(200)
    expect((await change({ email: null })).status).toBe(200)
  })

  it('returns 400 for a fixed field such as the country', async () => {
    for (const name of ['id', 'country', 'unit_minutes', 'version', 'created_at', 'tenant_id']) {
      const { status, body } = await change({ [name]: (await read())[name] ?? 1 })
      expect([status, body.errors[0].pointer]).toEqual([400, `/${name}`])
    }
    expect((await read()).version).toBe(1)
  })
})

/** Returns the same value with the fields of its objects in reverse order. */
function reordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reordered)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, one]) => [name, reordered(one)]),
  )
}
