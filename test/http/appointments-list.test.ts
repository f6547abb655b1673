import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { MALFORMED_IDS } from '../support/corpus.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
let school: School
let students: { id: string }[]
let instructors: { id: string }[]

const TIMES = {
  evening: ['2026-05-03 22:00', '2026-05-03 23:00'],
  night: ['2026-05-03 23:30', '2026-05-04 00:30'],
  early: ['2026-05-04 00:30', '2026-05-04 01:00'],
  noon: ['2026-05-04 12:00', '2026-05-04 13:30'],
  late: ['2026-05-04 23:00', '2026-05-05 00:00'],
  next: ['2026-05-05 00:00', '2026-05-05 00:01'],
  whole: ['2026-06-01 12:00', '2026-06-02 12:00'],
} as const
type Name = keyof typeof TIMES
const ALL = Object.keys(TIMES) as Name[]

beforeAll(async () => {
  school = await aSchool(service())
  instructors = [await school.instructor(), await school.instructor()]
  students = [await school.student(), await school.student()]
  // Booked from last to first, so that the order of booking is not that of the list.
  for (const [index, title] of ALL.toReversed().entries()) {
    const [start_at, end_at] = TIMES[title]
    const of = { instructor_id: instructors[index % 2]?.id, student_id: students[index % 2]?.id }
    await school.lesson({
      ...of,
      start_at,
      end_at,
      title,
      status: title === 'noon' ? 'cancelled' : 'planned',
    })
  }
})

const query = (parameters: Record<string, string>) => `/appointments?${new URLSearchParams(parameters)}`

async function titles(parameters: Record<string, string>): Promise<readonly string[]> {
  const { status, body } = await school.client.get(query(parameters))
  expect(status, JSON.stringify({ parameters, body })).toBe(200)
  return body.map(({ title }: { title: string }) => title)
}

describe('GET /appointments', () => {
  const overlaps: readonly [from: string, to: string, expected: Name[]][] = [
    ['', '', ALL],
    ['2026-05-04', '', ['night', 'early', 'noon', 'late', 'next', 'whole']],
    ['', '2026-05-03', ['evening', 'night']],
    ['2026-05-04', '2026-05-04', ['night', 'early', 'noon', 'late']],
    ['2026-05-03', '2026-05-04', ['evening', 'night', 'early', 'noon', 'late']],
    ['2026-05-05', '2026-05-05', ['next']],
    ['2026-05-04 00:00', '2026-05-05 00:00', ['night', 'early', 'noon', 'late']],
    ['2026-05-04 00:00', '2026-05-05 00:01', ['night', 'early', 'noon', 'late', 'next']],
    ['2026-05-04 00:29', '2026-05-04 00:30', ['night']],
    ['2026-05-04 00:30', '2026-05-04 00:31', ['early']],
    ['2026-05-04 12:30', '2026-05-04 12:31', ['noon']],
    ['2026-05-04 13:30', '2026-05-04 23:00', []],
    ['2026-05-04 13:29', '2026-05-04', ['noon', 'late']],
    ['2026-05-05 00:01', '', ['whole']],
    ['2026-06-02 11:59', '', ['whole']],
    ['2026-06-02 12:00', '', []],
    ['2026-06-02', '2026-06-02', ['whole']],
    ['', '2026-05-03 22:00', []],
    ['', '2026-05-03 22:01', ['evening']],
    ['2026-05-04 12:00', '2026-05-04 12:00', []],
    ['2026-05-04 12:30', '2026-05-04 12:30', []],
    ['2026-05-04', '2026-05-04 00:00', []],
    ['2026-05-04 23:59', '2026-05-04', ['late']],
    ['2026-03-29 02:30', '2026-03-29 02:45', []],
    ['2099-12-31', '2099-12-31', []],
    ['2000-01-01', '2099-12-31', ALL],
  ]
  it('lists appointments that overlap the range from `from` to `to`', async () => {
    for (const [from, to, expected] of overlaps) {
      const parameters = { ...(from ? { from } : {}), ...(to ? { to } : {}) }
      expect(await titles(parameters), `from ${from} to ${to}`).toEqual(expected)
    }
  })

  const reversed = [
    ['2026-05-05', '2026-05-04'],
    ['2026-05-05 00:00', '2026-05-04'],
    ['2026-05-05', '2026-05-04 23:59'],
    ['2026-05-04 12:01', '2026-05-04 12:00'],
    ['2026-05-04 00:01', '2026-05-04 00:00'],
  ] as const
  it('rejects a `from` after `to` with 400', async () => {
    for (const [from, to] of reversed) {
      const { status, body } = await school.client.get(query({ from, to }))
      const said = [status, body.code, body.errors?.[0].pointer]
      expect(said, `from ${from} to ${to}`).toEqual([400, 'invalid_request', '?to'])
    }
  })

  const malformed = [
    '',
    'now',
    'today',
    'infinity',
    '2026-02-30',
    '2026-02-29',
    '2026-13-01',
    '2026-5-4',
    '2026-05-04T08:00',
    '2026-05-04 8:00',
    '2026-05-04 24:00',
    '2026-05-04 08:00:00',
    '2026-05-04 08:00Z',
    '2026-05-04+02:00',
    ' 2026-05-04',
    '2026-05-04 ',
    '2026-05',
    '2026-W19',
    "2026-05-04' or '1'='1",
    '\0',
    'é',
    'x'.repeat(5000),
  ]
  it('rejects malformed dates and times in `from` and `to` with 400', async () => {
    for (const [name, text] of malformed.flatMap((one) => [['from', one] as const, ['to', one] as const])) {
      const { status, body } = await school.client.get(query({ [name]: text }))
      const said = [status, body.code, body.errors?.[0].pointer]
      expect(said, `${name} ${text}`).toEqual([400, 'invalid_request', `?${name}`])
    }
  })

  it('filters by status, and rejects an unknown status with 400', async () => {
    expect(await titles({ status: 'cancelled' })).toEqual(['noon'])
    expect(await titles({ status: 'planned', from: '2026-05-04', to: '2026-05-04' })).not.toContain('noon')
    expect((await school.client.get(query({ status: 'done' }))).status).toBe(400)
  })

  it('rejects a repeated parameter with 400, even with equal values (S72)', async () => {
    for (const name of ['from', 'to', 'instructor_id', 'student_id']) {
      const value = name.endsWith('_id') ? students[0]?.id : '2026-05-04'
      const { status, body } = await school.client.get(`/appointments?${name}=${value}&${name}=${value}`)
      expect([status, body.errors.map((fault: { pointer: string }) => fault.pointer)]).toEqual([
        400,
        [`?${name}`],
      ])
    }
  })

  it('filters by instructor_id and student_id, case-insensitively', async () => {
    const [first, second] = [ALL.filter((_, index) => index % 2 === 0), ALL.filter((_, index) => index % 2)]
    for (const [index, expected] of [first, second].entries()) {
      const [instructor_id = '', student_id = ''] = [instructors[index]?.id, students[index]?.id]
      expect(await titles({ instructor_id })).toEqual(expected)
      expect(await titles({ student_id: student_id.toUpperCase() })).toEqual(expected)
      expect(await titles({ instructor_id, student_id })).toEqual(expected)
    }
    const crossed = { instructor_id: instructors[0]?.id ?? '', student_id: students[1]?.id ?? '' }
    expect(await titles(crossed)).toEqual([])
    expect(await titles({ student_id: students[0]?.id ?? '', from: '2026-05-04', to: '2026-05-04' })).toEqual(
      ['early', 'late'],
    )
  })

  it.each(['instructor_id', 'student_id'])(
    'returns an empty list for an unknown %s, and 400 for a malformed one',
    async (name) => {
      const unknown = [
        randomUUID(),
        '00000000-0000-0000-0000-000000000000',
        'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
      ]
      for (const id of unknown) expect(await titles({ [name]: id })).toEqual([])
      for (const id of MALFORMED_IDS) {
        const { status, body } = await school.client.get(query({ [name]: id }))
        expect([status, body.errors?.[0].pointer], id).toEqual([400, `?${name}`])
      }
    },
  )

  it('includes cancelled appointments and omits deleted ones', async () => {
    const { id } = await school.lesson({
      instructor_id: instructors[0]?.id,
      start_at: '2026-07-01 08:00',
      end_at: '2026-07-01 09:00',
      title: 'deleted',
    })
    expect(await titles({ from: '2026-07-01' })).toEqual(['deleted'])
    await school.client.delete(`/appointments/${id}`)
    expect(await titles({ from: '2026-07-01' })).toEqual([])
    expect(await titles({})).toEqual(ALL)
  })

  it('sorts by start, then by id', async () => {
    const tied = await aSchool(service())
    const { PRACTICE } = tied.lessonTypes
    for (let round = 0; round < 8; round += 1) {
      const { id } = await tied.instructor()
      for (const hour of ['09', '08']) {
        const times = { start_at: `2026-05-04 ${hour}:00`, end_at: `2026-05-04 ${hour}:${10 + round}` }
        await tied.client.post('/appointments', { instructor_id: id, lesson_type_id: PRACTICE, ...times })
      }
    }
    const { body } = await tied.client.get('/appointments')
    const keys = body.map((row: { start_at: string; id: string }) => `${row.start_at} ${row.id}`)
    expect(keys).toHaveLength(16)
    expect(keys).toEqual(keys.toSorted())
  })
})
