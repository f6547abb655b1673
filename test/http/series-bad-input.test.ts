import { beforeAll, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { fingerprint, validBodies } from '../support/corpus.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
let school: School
let appointment: Record<string, unknown>

beforeAll(async () => {
  school = await aSchool(service())
  appointment = (await validBodies(school)).appointments()
})

const WEEKLY = { every_weeks: 1, count: 2 }

/** A body and its faults: pointers and codes. */
const FAULTS: readonly (readonly [body: object | undefined, faults: Readonly<Record<string, string>>])[] = [
  [undefined, { '': 'required' }],
  [{}, { '/appointment': 'required', '/repeat': 'required' }],
  [{ repeat: { every_weeks: 1 } }, { '/appointment': 'required', '/repeat/count': 'required' }],
  [
    { repeat: {} },
    { '/repeat/every_weeks': 'required', '/repeat/count': 'required', '/appointment': 'required' },
  ],
  [
    { appointment: {}, repeat: WEEKLY },
    Object.fromEntries(
      ['instructor_id', 'lesson_type_id', 'start_at', 'end_at'].map((name) => [
        `/appointment/${name}`,
        'required',
      ]),
    ),
  ],
  [
    { appointment: { id: 'x' }, repeat: WEEKLY, extra: 1 },
    {
      '/extra': 'unknown_field',
      '/appointment/id': 'unknown_field',
      ...Object.fromEntries(
        ['instructor_id', 'lesson_type_id', 'start_at', 'end_at'].map((name) => [
          `/appointment/${name}`,
          'required',
        ]),
      ),
    },
  ],
]

/** Repetitions that are sent with a valid appointment. */
const REPETITIONS: readonly (readonly [repeat: unknown, faults: Readonly<Record<string, string>>])[] = [
  [null, { '/repeat': 'wrong_type' }],
  [
    { every_weeks: 1, every_days: 1, count: 2, until: '2030-02-01' },
    { '/repeat/every_days': 'not_allowed', '/repeat/until': 'not_allowed' },
  ],
  [{ every_weeks: 1, every_days: 7, count: 2 }, { '/repeat/every_days': 'not_allowed' }],
  [{ every_weeks: 1, count: 2, until: '2030-02-01' }, { '/repeat/until': 'not_allowed' }],
  [{ every_weeks: 1 }, { '/repeat/count': 'required' }],
  [{ count: 2 }, { '/repeat/every_weeks': 'required' }],
  [{ every_weeks: 0, count: 2 }, { '/repeat/every_weeks': 'out_of_range' }],
  [{ every_weeks: 9, count: 2 }, { '/repeat/every_weeks': 'out_of_range' }],
  [{ every_weeks: 1.5, count: 2 }, { '/repeat/every_weeks': 'wrong_type' }],
  [{ every_weeks: '1', count: 2 }, { '/repeat/every_weeks': 'wrong_type' }],
  [{ every_weeks: null, every_days: 1, count: 2 }, { '/repeat/every_weeks': 'wrong_type' }],
  [{ every_days: 0, count: 2 }, { '/repeat/every_days': 'out_of_range' }],
  [{ every_days: 57, count: 2 }, { '/repeat/every_days': 'out_of_range' }],
  [{ every_days: 1, count: 1 }, { '/repeat/count': 'out_of_range' }],
  [{ every_days: 1, count: 53 }, { '/repeat/count': 'out_of_range' }],
  [{ every_days: 1, count: -1 }, { '/repeat/count': 'out_of_range' }],
  [{ every_days: 1, until: '2030-02-30' }, { '/repeat/until': 'invalid_format' }],
  [{ every_days: 1, until: '2029-12-31' }, { '/repeat/until': 'wrong_order' }],
  [{ every_days: 1, until: '2030-02-22' }, { '/repeat/until': 'out_of_range' }],
  [{ every_weeks: 1, times: 3, count: 2 }, { '/repeat/times': 'unknown_field' }],
  [{ every_weeks: 1, weekdays: [], count: 2 }, { '/repeat/weekdays': 'invalid_format' }],
  [{ every_weeks: 1, weekdays: [2, 8], count: 2 }, { '/repeat/weekdays/1': 'out_of_range' }],
  [{ every_weeks: 1, weekdays: [2, 2], count: 2 }, { '/repeat/weekdays': 'repeated' }],
  [{ every_weeks: 1, weekdays: [1, 3], count: 2 }, { '/repeat/weekdays': 'out_of_range' }],
  [{ every_days: 1, weekdays: [2], count: 2 }, { '/repeat/weekdays': 'not_allowed' }],
]

async function expectRefused(body: unknown, faults: Readonly<Record<string, string>>): Promise<void> {
  const before = await fingerprint(service(), school.tenantId)
  const answer = await school.client.post('/appointments/series', body)
  expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request'])
  const told = answer.body.errors.map(({ pointer, code }: Record<string, string>) => [pointer, code])
  expect(Object.fromEntries(told)).toEqual(faults)
  expect(await fingerprint(service(), school.tenantId)).toBe(before)
}

it.each(FAULTS)('a series with the body %j is rejected', (body, faults) => expectRefused(body, faults))

it.each(REPETITIONS)('a series with the repetition %j is rejected', async (repeat, faults) => {
  const start = { start_at: '2030-01-01 12:00', end_at: '2030-01-01 13:00' }
  await expectRefused({ appointment: { ...appointment, ...start }, repeat }, faults)
})

it.each([
  [{ start_at: '2030-03-31 02:30', end_at: '2030-03-31 03:30' }, { '/appointment/start_at': 'skipped_time' }],
  [{ end_at: '2030-01-01 00:00', start_at: '2030-01-01 12:00' }, { '/appointment/end_at': 'wrong_order' }],
  [{ start_at: 'x' }, { '/appointment/start_at': 'invalid_format' }],
  [{ instructor_id: 5 }, { '/appointment/instructor_id': 'wrong_type' }],
  [{ series_id: crypto.randomUUID() }, { '/appointment/series_id': 'unknown_field' }],
])('a series with %j in its first lesson is rejected', async (fields, faults) => {
  await expectRefused({ appointment: { ...appointment, ...fields }, repeat: WEEKLY }, faults)
})

it.each<[fields: object, faults: Readonly<Record<string, string>>]>([
  [{ topics: [] }, { '/topics': 'invalid_format', '/repeat/count': 'required' }],
  [{ topics: ['Thema 1', ''] }, { '/topics/1': 'too_short', '/repeat/count': 'required' }],
  [{ topics: Array(53).fill('Thema') }, { '/topics': 'invalid_format', '/repeat/count': 'required' }],
  [{ topics: ['Thema 1'], repeat: WEEKLY }, { '/repeat/count': 'not_allowed' }],
  [
    { topics: ['Thema 1'], repeat: { every_weeks: 1, until: '2031-01-01' } },
    { '/repeat/until': 'not_allowed' },
  ],
])('a course with %o is rejected', async (fields, faults) => {
  await expectRefused({ appointment, repeat: { every_weeks: 1 }, ...fields }, faults)
})

it('a course with a separate topic in its first lesson is rejected', async () => {
  const course = { appointment: { ...appointment, topic: 'x' }, repeat: { every_weeks: 1 }, topics: ['x'] }
  await expectRefused(course, { '/appointment/topic': 'not_allowed' })
})

it('a series that continues after the year 2099 is rejected', async () => {
  const late = { ...appointment, start_at: '2099-12-31 23:00', end_at: '2099-12-31 23:30' }
  await expectRefused({ appointment: late, repeat: WEEKLY }, { '/repeat/count': 'out_of_range' })
})

it.each([
  ['on_refusal', 'abort', 'not_allowed'],
  ['on_refusal', null, 'not_allowed'],
  ['dry_run', 'true', 'wrong_type'],
  ['dry_run', 0, 'wrong_type'],
])('a series with %s: %j is rejected', async (name, value, code) => {
  await expectRefused({ appointment, repeat: WEEKLY, [name]: value }, { [`/${name}`]: code })
})

it.each([
  [undefined, '', 'required'],
  [{}, '/from', 'required'],
  [{ from: '2030-02-30' }, '/from', 'invalid_format'],
  [{ from: '2030-02-03 08:00' }, '/from', 'invalid_format'],
  [{ from: null }, '/from', 'wrong_type'],
  [{ from: '2030-02-03', to: 'x' }, '/to', 'unknown_field'],
])('the cancellation of a series with the body %j is rejected', async (body, pointer, code) => {
  const answer = await school.client.post(`/appointments/series/${crypto.randomUUID()}/cancel`, body)
  expect([answer.status, answer.body.errors]).toMatchObject([400, [{ pointer, code }]])
})
