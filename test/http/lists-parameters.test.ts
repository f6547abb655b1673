import { beforeAll, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { checkTable } from '../support/check-each.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
let school: School

/** Creates more rows of each kind than a page of five has. */
beforeAll(async () => {
  school = await aSchool(service())
  for (let day = 1; day <= 6; day += 1) {
    const [instructor, student] = [await school.instructor(), await school.student()]
    const times = { start_at: `2026-05-0${day} 08:00`, end_at: `2026-05-0${day} 09:00` }
    await school.lesson({ instructor_id: instructor.id, student_id: student.id, ...times })
    await school.client.post('/schedule-requests', { instructor_id: instructor.id, availability_windows: [] })
  }
})

const LISTS = [
  '/students',
  '/instructors',
  '/appointments',
  '/schedule-requests',
  '/messages',
  '/lesson-types',
  '/license-class-templates',
  '/holidays',
]

describe.each(LISTS)('GET %s', (path) => {
  const cursor = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const rubbish = [
    'x',
    '',
    '%00',
    '%C3%28',
    '%FF',
    '%F0%9F%98%80',
    'null',
    '"',
    cursor([]),
    cursor(['a']),
    cursor({}),
  ]
  const nearly = [cursor([1, 2, 3]), cursor(['a', 'b', 'c']), cursor(['2026-05-04 08:00', 'x']), cursor(null)]

  it('rejects a limit that is not an integer from 1 to 1000 with 400', () =>
    checkTable(
      ['0', '-1', '1001', '10000', 'abc', '', '1.5', '1e2', '0x10', '01', ' 5', '5%00', '%2B5', 'NaN'],
      async (limit) => {
        const { status, body } = await school.client.get(`${path}?limit=${limit}`)
        expect([status, body.code, body.errors[0].pointer]).toEqual([400, 'invalid_request', '?limit'])
      },
    ))

  it('rejects an invalid cursor, and any cursor without a limit, with 400', async () => {
    for (const one of [...rubbish, ...nearly, 'x'.repeat(3000)]) {
      const { status, body } = await school.client.get(`${path}?limit=5&cursor=${one}`)
      expect([status, body.code, body.errors?.[0].pointer], one).toEqual([400, 'invalid_request', '?cursor'])
    }
    const link = (await school.client.get(`${path}?limit=5`)).headers.get('link')
    const next = new URL(link?.slice(1, -'>; rel="next"'.length) ?? '', service().url).searchParams
    const { status, body } = await school.client.get(`${path}?cursor=${next.get('cursor')}`)
    expect([status, body.errors[0].pointer]).toEqual([400, '?cursor'])
  })

  it('rejects unknown and repeated parameters with 400, naming each one (S72)', async () => {
    const { status, body } = await school.client.get(`${path}?limit=1&limit=1&page=2&__proto__=1&sort=x`)
    const pointers = body.errors.map(({ pointer }: { pointer: string }) => pointer).sort()
    expect([status, pointers]).toEqual([400, ['?__proto__', '?limit', '?page', '?sort']])
  })

  it('responds to HEAD with the same headers and no body', async () => {
    for (const query of ['', '?limit=3']) {
      const got = await school.client.get(`${path}${query}`)
      const head = await school.client.send('HEAD', `${path}${query}`)
      expect([head.status, head.text]).toEqual([200, ''])
      for (const name of ['content-type', 'link', 'etag', 'cache-control']) {
        expect(head.headers.get(name)).toBe(got.headers.get(name))
      }
    }
  })
})
