import { randomUUID } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { checkTable } from '../support/check-each.ts'
import { Client, type Headings } from '../support/client.ts'
import { fingerprint } from '../support/corpus.ts'
import { aSchool, aUser, enter, type School } from '../support/factory.ts'
import { at } from '../support/times.ts'

const service = useService()
let school: School
let instructor: string
let student: string
let lesson: string
let deleted: string

beforeAll(async () => {
  school = await aSchool(service())
  instructor = (await school.instructor()).id
  student = (await school.student()).id
  lesson = (await school.lesson({ instructor_id: instructor, ...at('08:00', '09:00') })).id
  await school.lesson({ instructor_id: instructor, ...at('12:00', '13:00') })
  deleted = (await school.lesson({ instructor_id: instructor, ...at('15:00', '16:00') })).id
  await school.client.delete(`/appointments/${deleted}`)
})

const JSON_TYPE = { 'content-type': 'application/json' }
const TEXT_TYPE = { 'content-type': 'text/plain' }
const STALE = { 'if-match': '"stale"' }
const HUGE = `{"x":"${'x'.repeat(300 * 1024)}`
const nobody = randomUUID()

type Request = readonly [method: string, path: () => string, body?: () => unknown, headers?: Headings]
/** A request that fails two or more checks of the chain. Its code is that of the first. */
type Case = readonly [first: string, second: string, code: string, request: Request]

const students = () => '/students'
const aStudent = () => `/students/${student}`
const aLesson = () => `/appointments/${lesson}`
const unknownLesson = () => `/appointments/${nobody}`
const nowhere = () => '/nowhere'

const WITHOUT_TOKEN: readonly Case[] = [
  ['401', '404 of the route', 'unauthenticated', ['GET', nowhere]],
  ['401', '405', 'unauthenticated', ['PUT', students]],
  ['401', '415', 'unauthenticated', ['POST', students, () => 'x', TEXT_TYPE]],
  ['401', '413', 'unauthenticated', ['POST', students, () => HUGE, JSON_TYPE]],
  ['401', 'malformed JSON', 'unauthenticated', ['POST', students, () => '{', JSON_TYPE]],
  ['401', 'faults of the query', 'unauthenticated', ['GET', () => '/students?x=1']],
  ['401', '404 of the resource', 'unauthenticated', ['DELETE', unknownLesson]],
  ['401', '404 of an overlong id', 'unauthenticated', ['GET', () => `/students/${'x'.repeat(101)}`]],
  ['405', '401, where no token is wanted', 'method_not_allowed', ['GET', () => '/auth/login']],
]

const CHAIN: readonly Case[] = [
  ['404 of the route', '415', 'not_found', ['POST', nowhere, () => 'x', TEXT_TYPE]],
  ['404 of the route', '413', 'not_found', ['POST', nowhere, () => HUGE, JSON_TYPE]],
  ['404 of the route', 'malformed JSON', 'not_found', ['POST', nowhere, () => '{', JSON_TYPE]],
  ['405', '415', 'method_not_allowed', ['PUT', students, () => 'x', TEXT_TYPE]],
  ['405', '413', 'method_not_allowed', ['DELETE', students, () => HUGE, JSON_TYPE]],
  ['405', 'malformed JSON', 'method_not_allowed', ['PATCH', students, () => '{', JSON_TYPE]],
  ['405', '404 of the resource', 'method_not_allowed', ['PUT', unknownLesson, () => ({})]],
  ['415', 'malformed JSON', 'unsupported_media_type', ['POST', students, () => '{', TEXT_TYPE]],
  ['415', 'faults', 'unsupported_media_type', ['POST', () => '/students?x=1', () => '{}', TEXT_TYPE]],
  ['415', '404', 'unsupported_media_type', ['PATCH', unknownLesson, () => '{}', TEXT_TYPE]],
  ['413', 'malformed JSON', 'body_too_large', ['POST', students, () => HUGE, JSON_TYPE]],
  ['413', 'faults', 'body_too_large', ['POST', () => '/students?x=1', () => `${HUGE}"}`, JSON_TYPE]],
  ['413', '404', 'body_too_large', ['PATCH', unknownLesson, () => `${HUGE}"}`, JSON_TYPE]],
  [
    'malformed JSON',
    'faults of the query',
    'malformed_json',
    ['POST', () => '/students?x=1', () => '{', JSON_TYPE],
  ],
  ['malformed JSON', '404', 'malformed_json', ['PATCH', unknownLesson, () => '{', JSON_TYPE]],
  [
    'malformed JSON',
    'a malformed id',
    'malformed_json',
    ['PATCH', () => '/students/x', () => '{', JSON_TYPE],
  ],
  ['malformed JSON', '412', 'malformed_json', ['PATCH', aStudent, () => '{', { ...JSON_TYPE, ...STALE }]],
  ['faults of the body', '404', 'invalid_request', ['PATCH', unknownLesson, () => ({ title: 5 })]],
  [
    'faults of the body',
    'a malformed id',
    'invalid_request',
    ['PATCH', () => '/students/x', () => ({ id: 5 })],
  ],
  ['faults of the query', '404', 'invalid_request', ['GET', () => `${unknownLesson()}?x=1`]],
  ['faults of the query', 'a malformed id', 'invalid_request', ['DELETE', () => '/students/x?x=1']],
  [
    'faults of the body',
    'an unknown reference',
    'invalid_request',
    ['POST', students, () => ({ first_name: 'x', preferred_instructor_id: nobody })],
  ],
  ['faults of the times', '404', 'invalid_request', ['PATCH', unknownLesson, () => at('10:00', '09:00')]],
  ['faults of the body', '412', 'invalid_request', ['PATCH', aStudent, () => ({ phone: '' }), STALE]],
  [
    '404',
    'the merged row',
    'not_found',
    ['PATCH', () => `/appointments/${deleted}`, () => ({ start_at: '2026-05-04 17:00' })],
  ],
  ['404', 'an unknown reference', 'not_found', ['PATCH', unknownLesson, () => ({ student_id: nobody })]],
  ['404', '412', 'not_found', ['DELETE', unknownLesson, undefined, STALE]],
  [
    '404',
    '412 of what is deleted',
    'not_found',
    ['PATCH', () => `/appointments/${deleted}`, () => ({}), STALE],
  ],
  ['a malformed id', '412', 'not_found', ['PATCH', () => '/instructors/x', () => ({}), STALE]],
  [
    'the merged row',
    'an unknown instructor',
    'invalid_request',
    ['PATCH', aLesson, () => ({ end_at: '2026-05-04 07:00', instructor_id: nobody })],
  ],
  [
    'the merged row',
    'an unknown student',
    'invalid_request',
    ['PATCH', aLesson, () => ({ start_at: '2026-05-04 10:00', student_id: nobody })],
  ],
  [
    'the merged row',
    'an unknown lesson type',
    'invalid_request',
    ['PATCH', aLesson, () => ({ start_at: '2026-05-02 10:00', lesson_type_id: nobody })],
  ],
  [
    'the merged row',
    '412',
    'invalid_request',
    ['PATCH', aLesson, () => ({ end_at: '2026-05-04 07:00' }), STALE],
  ],
  ['an unknown instructor', '412', 'not_found', ['PATCH', aLesson, () => ({ instructor_id: nobody }), STALE]],
  ['an unknown student', '412', 'not_found', ['PATCH', aLesson, () => ({ student_id: nobody }), STALE]],
  [
    'an unknown lesson type',
    '412',
    'not_found',
    ['PATCH', aLesson, () => ({ lesson_type_id: nobody }), STALE],
  ],
  [
    'an unknown template',
    '412',
    'not_found',
    ['PATCH', aStudent, () => ({ license_class_template_id: nobody }), STALE],
  ],
  [
    'an unknown student',
    '409',
    'not_found',
    ['PATCH', aLesson, () => ({ student_id: nobody, ...at('12:00', '13:00') })],
  ],
  [
    'an unknown lesson type',
    '409',
    'not_found',
    [
      'POST',
      () => '/appointments',
      () => ({ instructor_id: instructor, lesson_type_id: nobody, ...at('12:00', '13:00') }),
    ],
  ],
  ['412', '409', 'stale', ['PATCH', aLesson, () => at('12:00', '13:00'), STALE]],
  [
    '409',
    'the write',
    'instructor_busy',
    ['PATCH', aLesson, () => ({ notes: 'x', ...at('12:30', '13:30') })],
  ],
  ['412', 'the write', 'stale', ['DELETE', aStudent, undefined, STALE]],
]

async function expectFirst(client: Client, [, , code, [method, path, body, headers]]: Case): Promise<void> {
  const before = await fingerprint(service(), school.tenantId)
  const answer = await client.send(method, path(), body?.(), headers)
  expect(answer.body.code).toBe(code)
  expect(await fingerprint(service(), school.tenantId)).toBe(before)
}

it('errors of a request without a token have a fixed precedence', () =>
  checkTable(WITHOUT_TOKEN, async (...one) => {
    await expectFirst(new Client(service()), one)
  }))

it('errors of a request with a token have a fixed precedence', () =>
  checkTable(CHAIN, async (...one) => {
    await expectFirst(school.client, one)
  }))

const OF_AN_INSTRUCTOR: readonly Case[] = [
  ['403 of the role', '415', 'forbidden', ['POST', students, () => 'x', TEXT_TYPE]],
  ['403 of the role', '413', 'forbidden', ['POST', students, () => HUGE, JSON_TYPE]],
  ['403 of the role', 'malformed JSON', 'forbidden', ['POST', students, () => '{', JSON_TYPE]],
  ['403 of the role', '404 of the resource', 'forbidden', ['DELETE', () => `/students/${nobody}`]],
  ['404 of the route', '403 of the role', 'not_found', ['POST', nowhere, () => '{', JSON_TYPE]],
]

it.each(OF_AN_INSTRUCTOR)('%s takes precedence over %s', async (...one) => {
  const user = await aUser(service(), school.tenantId, { role: 'instructor', instructor_id: instructor })
  const { client } = await enter(service(), { tenantId: school.tenantId, user })
  await expectFirst(client, one)
})

it('faults of the query and of the body are returned together', async () => {
  const { body } = await school.client.patch(`${aLesson()}?x=1`, { title: '', notes: 5 })
  const pointers = body.errors.map(({ pointer }: { pointer: string }) => pointer)
  expect(pointers.toSorted()).toEqual(['/notes', '/title', '?x'])
})
