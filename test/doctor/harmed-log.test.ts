// @module-tag long: harms the log in every way; harmed-lessons.test.ts does so with lessons

import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { findingsIn } from '../support/doctor.ts'
import { plantTwin } from '../support/twin.ts'
import { aPatient, change, found, ofSession, testHarms, tokenOf } from './harms.ts'

const clinic = testHarms([
  {
    name: 'a student has no calendar',
    code: 'calendar_missing',
    resource: 'student',
    inflict: ({ student }) => change(student, sql`delete from calendars where id = ${student}`),
  },
  {
    name: 'a calendar has no owner',
    code: 'calendar_of_nobody',
    resource: 'calendar',
    inflict: async ({ school: { tenantId } }) => {
      const nobody = randomUUID()
      return change(nobody, sql`insert into calendars values (${tenantId}, ${nobody}, 'instructor')`)
    },
  },
  {
    name: 'a calendar has a different kind than its owner',
    code: 'calendar_of_nobody',
    resource: 'calendar',
    inflict: ({ student }) =>
      change(student, sql`update calendars set kind = 'instructor' where id = ${student}`),
  },
  {
    name: 'a lesson row is missing',
    code: 'row_missing',
    resource: 'appointment',
    inflict: ({ lesson }) => change(lesson, sql`delete from appointments where id = ${lesson}`),
  },
  {
    name: 'a student has no log entry',
    code: 'history_missing',
    resource: 'student',
    inflict: ({ student }) => change(student, sql`delete from changes where resource_id = ${student}`),
  },
  {
    name: 'a change is missing from the log',
    code: 'history_gap',
    resource: 'appointment',
    inflict: ({ lesson }) =>
      change(
        lesson,
        sql`delete from changes where resource_id = ${lesson} and (after ->> 'version')::int = 2`,
      ),
  },
  {
    name: 'a write was not logged',
    code: 'history_gap',
    resource: 'appointment',
    inflict: ({ lesson }) =>
      change(lesson, sql`update appointments set notes = 'x', version = version + 1 where id = ${lesson}`),
  },
  {
    name: 'a logged write was lost',
    code: 'history_differs',
    resource: 'appointment',
    inflict: ({ lesson }) =>
      change(lesson, sql`update appointments set notes = null, version = version - 1 where id = ${lesson}`),
  },
  {
    name: 'a change contradicts the one before',
    code: 'history_contradicts',
    resource: 'appointment',
    inflict: ({ lesson }) =>
      change(
        lesson,
        sql`update changes set before = (before::jsonb || '{"notes":"other"}')::json
          where resource_id = ${lesson} and (after ->> 'version')::int = 3`,
      ),
  },
  {
    name: 'a field was written without a log entry',
    code: 'history_differs',
    resource: 'student',
    inflict: ({ student }) => change(student, sql`update students set phone = '112' where id = ${student}`),
  },
  {
    name: 'the seats of a lesson type were written without a log entry',
    code: 'history_differs',
    resource: 'lesson_type',
    inflict: async ({ school }) => {
      const id = school.lessonTypes.PRACTICE ?? ''
      expect((await school.client.patch(`/tenant/lesson-types/${id}`, { seats: 2 })).status).toBe(200)
      return change(id, sql`update lesson_types set seats = 3 where id = ${id}`)
    },
  },
  {
    name: 'a vacation was written without a log entry',
    code: 'history_differs',
    resource: 'instructor',
    inflict: ({ school: { tenantId }, instructor }) =>
      change(
        instructor,
        sql`insert into vacations values (${tenantId}, ${instructor}, 0, '2050-01-01', '2050-01-02', null)`,
      ),
  },
  {
    name: 'a lesson has overrides that are not in the log',
    code: 'history_differs',
    resource: 'appointment',
    inflict: ({ lesson }) =>
      change(lesson, sql`update appointments set overrides_used = '{daily}' where id = ${lesson}`),
  },
  {
    name: 'a lesson was deleted without a log entry',
    code: 'history_differs',
    resource: 'appointment',
    inflict: ({ lesson }) =>
      change(lesson, sql`update appointments set deleted_at = now() where id = ${lesson}`),
  },
  {
    name: 'the log is out of order',
    code: 'history_out_of_order',
    resource: 'appointment',
    inflict: ({ lesson }) =>
      change(
        lesson,
        sql`update changes set at = at - interval '1 hour'
          where resource_id = ${lesson} and (after ->> 'version')::int = 3`,
      ),
  },
  {
    name: 'a session has no active token',
    code: 'session_without_token',
    resource: 'session',
    inflict: (patient) => ofSession(patient, (id) => sql`delete from refresh_tokens where family_id = ${id}`),
  },
  {
    name: 'a session has two active tokens',
    code: 'session_with_two_tokens',
    resource: 'session',
    inflict: (patient) =>
      ofSession(
        patient,
        (id) => sql`insert into refresh_tokens (id, family_id, token_hash, expires_at)
          values (gen_random_uuid(), ${id}, sha256(${randomUUID()}::bytea), now() + interval '1 day')`,
      ),
  },
  {
    name: 'a disabled user has a session',
    code: 'session_of_disabled_user',
    resource: 'session',
    inflict: (patient) =>
      ofSession(
        patient,
        (id) => sql`update users set disabled_at = now()
          where id = (select user_id from token_families where id = ${id})`,
      ),
  },
  {
    name: 'a session can switch to a user with another address',
    code: 'session_of_another_address',
    resource: 'session',
    inflict: (patient) =>
      ofSession(
        patient,
        (id) => sql`insert into session_users (family_id, user_id) select ${id}, users.id from users
          where users.id <> (select user_id from token_families where id = ${id}) limit 1`,
      ),
  },
  {
    name: 'a token is active after its session has ended',
    code: 'token_outlives_session',
    resource: 'refresh_token',
    inflict: async (patient) => {
      await ofSession(
        patient,
        (id) => sql`update token_families set revoked_at = now(), revoked_reason = 'logout' where id = ${id}`,
      )
      return tokenOf(patient)
    },
  },
  {
    name: 'a token has a parent that does not exist',
    code: 'token_without_parent',
    resource: 'refresh_token',
    inflict: async (patient) => {
      await ofSession(
        patient,
        (id) => sql`update refresh_tokens set parent_id = gen_random_uuid() where family_id = ${id}`,
      )
      return tokenOf(patient)
    },
  },
])

it('a missing row is reported even if another school has one with the same id', async () => {
  const patient = await aPatient()
  const { school, student } = patient
  const [untold, lost] = [(await school.student()).id, (await school.student()).id]
  const { id: colleague } = await school.instructor()
  await plantTwin(clinic().service, school.tenantId, 'no such word')
  const missing = [
    ['calendars', 'id', student],
    ['changes', 'resource_id', untold],
    ['students', 'id', lost],
    ['instructors', 'id', colleague],
  ] as const
  for (const [table, column, id] of missing) {
    const where = sql`tenant_id = ${school.tenantId} and ${sql.ref(column)} = ${id}`
    await change(id, sql`delete from ${sql.table(table)} where ${where}`)
  }
  const facts = (await found(patient)).map(({ code, resource_id }) => `${code} ${resource_id}`)
  expect(facts.toSorted()).toEqual(
    [
      `calendar_missing ${student}`,
      `history_missing ${untold}`,
      ...[lost, colleague].flatMap((id) => [`calendar_of_nobody ${id}`, `row_missing ${id}`]),
    ].toSorted(),
  )
})

it('rows without a school are reported', async () => {
  const { owner, service } = clinic()
  const [tenantId, id] = [randomUUID(), randomUUID()]
  await sql`insert into calendars values (${tenantId}, ${id}, 'student')`.execute(owner)
  await sql`insert into login_addresses (user_id, address) values (${id}, '192.0.2.1')`.execute(owner)
  const provider = { issuer: 'https://login.example', client_id: 'fahrplan', sealed_secret: Buffer.of() }
  await owner
    .insertInto('identity_providers')
    .values({ tenant_id: tenantId, ...provider, required: false })
    .execute()
  await owner
    .insertInto('identities')
    .values({ tenant_id: tenantId, user_id: id, issuer: provider.issuer, subject: 'ida' })
    .execute()
  const strays = (await findingsIn(service.db)).filter(
    ({ tenant_id, code }) => !tenant_id && code !== 'constraint_missing' && code !== 'index_missing',
  )
  expect(strays).toMatchObject([
    ...['calendars', 'identities', 'identity_providers'].map((resource) => ({
      ...{ code: 'school_missing', resource, resource_id: tenantId },
    })),
    { code: 'reference_to_nothing', resource: 'identities', resource_id: id },
    { code: 'reference_to_nothing', resource: 'login_addresses', resource_id: id },
  ])
})
