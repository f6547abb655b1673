import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import type { Client } from '../support/client.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
let school: School
let big: School

type Row = Readonly<Record<string, string>>

/** Creates a school with 2,500 rows of each kind that can grow, many of them with equal sort keys except the id. */
async function aBigSchool(): Promise<School> {
  const made = await aSchool(service())
  const { db } = service()
  const tenant = made.tenantId
  await sql`with calendar as (
      insert into calendars (tenant_id, id, kind)
      select ${tenant}, gen_random_uuid(), 'student' from generate_series(1, 2500) returning id)
    insert into students (tenant_id, id, first_name, last_name)
    select ${tenant}, id, 'A' || i % 3, chr(65 + i % 20)
    from (select id, row_number() over ()::int as i from calendar) numbered`.execute(db)
  await sql`with calendar as (
      insert into calendars (tenant_id, id, kind)
      select ${tenant}, gen_random_uuid(), 'instructor' from generate_series(1, 2500) returning id)
    insert into instructors
      (tenant_id, id, first_name, last_name, color, license_classes, active, required_break_minutes)
    select ${tenant}, id, 'A' || i % 3, chr(65 + i % 20), '#000000', '{}', true, 0
    from (select id, row_number() over ()::int as i from calendar) numbered`.execute(db)
  await sql`insert into appointments
      (tenant_id, id, instructor_id, lesson_type_id, start_at, end_at, title, status, overrides_used)
    select ${tenant}, gen_random_uuid(), id, ${made.lessonTypes.PRACTICE},
      timestamp '2026-01-01' + number % 40 * interval '1 day',
      timestamp '2026-01-01 01:00' + number % 40 * interval '1 day', 'x', 'planned', '{}'
    from (select id, row_number() over () as number from instructors where tenant_id = ${tenant}) numbered
  `.execute(db)
  return made
}

beforeAll(async () => {
  school = await aSchool(service())
  big = await aBigSchool()
})

const KEYS: Readonly<Record<string, readonly string[]>> = {
  students: ['last_name', 'first_name', 'id'],
  instructors: ['last_name', 'first_name', 'id'],
  appointments: ['start_at', 'id'],
}

/** Sorts by the bytes of UTF-8, which is the order of code points. JavaScript's own order differs. */
function sorted(rows: readonly Row[], keys: readonly string[]): readonly Row[] {
  const byteOrder = (a: Row, b: Row) =>
    keys.map((key) => Buffer.compare(Buffer.from(a[key] ?? ''), Buffer.from(b[key] ?? ''))).find(Boolean) ?? 0
  return rows.toSorted(byteOrder)
}

/** Follows the links from page to page. Returns the pages. */
async function pagesFrom(client: Client, path: string, between?: () => Promise<void>): Promise<Row[][]> {
  const pages: Row[][] = []
  for (let next: string | undefined = path; next; ) {
    const { status, headers, body } = await client.get(next)
    expect(status).toBe(200)
    pages.push(body)
    const link = headers.get('link')
    expect(link ?? '<>; rel="next"').toMatch(/^<[^>]*>; rel="next"$/)
    next = link?.slice('</api/v1'.length, -'>; rel="next"'.length)
    if (next) await between?.()
  }
  return pages
}

const ids = (rows: readonly Row[]) => rows.map(({ id }) => id)

describe.each(['students', 'instructors', 'appointments'])('GET /%s with 2,500 rows', (resource) => {
  const keys = KEYS[resource] ?? []

  it('returns every row exactly once, in order', async () => {
    const { headers, body } = await big.client.get(`/${resource}`)
    expect(body).toHaveLength(2500)
    expect(new Set(ids(body)).size).toBe(2500)
    expect(ids(body)).toEqual(ids(sorted(body, keys)))
    expect(headers.get('link')).toBe(null)
    expect(headers.get('etag')).toMatch(/^"[^"]+"$/)
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  })

  it.each([
    [1000, [1000, 1000, 500]],
    [999, [999, 999, 502]],
    [625, [625, 625, 625, 625]],
  ])('returns linked pages with limit=%i that form the whole list', async (limit, sizes) => {
    const whole = (await big.client.get(`/${resource}`)).body
    const pages = await pagesFrom(big.client, `/${resource}?limit=${limit}`)
    expect(pages.map(({ length }) => length)).toEqual(sizes)
    expect(pages.flat()).toEqual(whole)
  })
})

describe('paging', () => {
  it.each([
    ['/lesson-types', 10, [10, 10, 5]],
    ['/license-class-templates', 36, [36, 1]],
    ['/lesson-types', 25, [25]],
    ['/lesson-types', 1, Array.from({ length: 25 }, () => 1)],
  ])('returns all rows of %s', async (path, limit, sizes) => {
    const pages = await pagesFrom(school.client, `${path}?limit=${limit}`)
    expect(pages.map(({ length }) => length)).toEqual(sizes)
    expect(pages.flat()).toEqual((await school.client.get(path)).body)
  })

  it('neither skips nor repeats rows while others are added and deleted', async () => {
    const { client } = await aSchool(service())
    const student = (last_name: string) => client.post('/students', { first_name: 'x', last_name })
    for (const name of ['B', 'D', 'D', 'D', 'F', 'F', 'H']) await student(name)
    const before = (await client.get('/students')).body as Row[]
    const gone = (await student('E')).body
    const pages = await pagesFrom(client, '/students?limit=2', async () => {
      for (const name of ['A', 'C', 'D', 'G']) await student(name)
      await client.delete(`/students/${gone.id}`)
    })
    const seen = ids(pages.flat())
    expect(new Set(seen).size).toBe(seen.length)
    expect(ids(before).filter((id) => !seen.includes(id))).toEqual([])
    expect(seen).not.toContain(gone.id)
  })

  it('uses links without a host that keep the filters', async () => {
    const path = '/appointments?from=2026-01-03&to=2026-01-04%2012:00&limit=50'
    const { headers } = await big.client.get(path, { 'x-forwarded-host': 'evil.example' })
    expect(headers.get('link')).toMatch(
      /^<\/api\/v1\/appointments\?from=2026-01-03&to=.+&limit=50&cursor=.+>/,
    )
    const rows = (await pagesFrom(big.client, path)).flat()
    expect(rows).toEqual((await big.client.get('/appointments?from=2026-01-03&to=2026-01-04')).body)
    expect(rows.map(({ start_at }) => start_at?.slice(0, 10))).toContain('2026-01-04')
  })

  it('continues after names with any characters', async () => {
    const odd = await aSchool(service())
    const names = [
      '"',
      '\\',
      "'",
      '%',
      ']',
      '\u00ad',
      '😀',
      '\u200b',
      '.\u2060.',
      ',',
      'ß',
      '\u{10ffff}',
      '𝒜',
    ]
    for (const last_name of names) await odd.student({ last_name, first_name: last_name })
    const pages = await pagesFrom(odd.client, '/students?limit=1')
    const whole = (await odd.client.get('/students')).body
    expect(pages.flat()).toEqual(whole)
    expect(whole.map(({ last_name }: Row) => last_name).toSorted()).toEqual(names.toSorted())
  })
})

describe('the order of names', () => {
  const NAMES = [
    'Zoe',
    'apfel',
    'Äpfel',
    'Apfel',
    'zoe',
    'Apfel 2',
    'Apfel-2',
    'Ähre',
    'Ahre',
    'é',
    '1',
    '-',
    '',
  ]
  const LATE = ['\ufb00', '\u{1d49c}', '\uffee', '😀', 'Łoś', 'Ω', '中', "O'Neil", 'van', 'Van', 'A']

  it.each(['students', 'instructors'])(
    'of %s is by code point: last name, first name, id',
    async (resource) => {
      const made = await aSchool(service())
      const names = [...NAMES.filter(Boolean), ...LATE]
      for (const last_name of names) {
        for (const first_name of ['Ö', 'a', 'a', 'Z'])
          await made.client.post(`/${resource}`, { first_name, last_name })
      }
      const { body } = await made.client.get(`/${resource}`)
      expect(body).toHaveLength(4 * names.length)
      expect(ids(body)).toEqual(ids(sorted(body, KEYS[resource] ?? [])))
      const pages = await pagesFrom(made.client, `/${resource}?limit=7`)
      expect(pages.flat()).toEqual(body)
    },
  )
})
