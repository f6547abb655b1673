import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { MAX_OPEN_APPOINTMENTS } from '../../src/domain/ranges.ts'
import { aLife, on, WORD } from '../support/a-life.ts'
import { useService } from '../support/app.ts'
import { plantTwin } from '../support/twin.ts'

const service = useService()

it("a student's open appointments in a twin school do not count toward the limit", async () => {
  const { school, ids } = await aLife(service())
  const { db } = service()
  const { tenantId } = school
  const twin = await plantTwin(service(), tenantId, WORD)
  // From this version on, a booking counts the open appointments.
  await sql`update calendars set version = ${MAX_OPEN_APPOINTMENTS}
    where tenant_id = ${tenantId} and id = ${ids.student}`.execute(db)
  await sql`insert into appointments (tenant_id, id, instructor_id, student_id, lesson_type_id, start_at, end_at, title,
      status, overrides_used)
    select ${twin}, gen_random_uuid(), ${ids.other}, ${ids.student}, ${ids.lessonType}, time, time + interval '45 minutes',
      'x', 'planned', '{}'
    from generate_series(1, ${sql.lit(MAX_OPEN_APPOINTMENTS)}) n,
      lateral (select timestamp '2060-01-01' + n * interval '1 hour') at (time)`.execute(db)
  const answer = await school.book({ instructor_id: ids.other, student_id: ids.student, ...on('24') })
  expect([answer.status, answer.body.code]).toEqual([201, undefined])
})

it('a deleted link to an offer of a twin school does not change the tag of a long list of offers', async () => {
  const { school, ids } = await aLife(service())
  const { db } = service()
  const { tenantId, client } = school
  const { body: offer } = await client.post('/offers', {
    instructor_id: ids.other,
    lesson_type_id: ids.lessonType,
    student_ids: [ids.student],
    ...on('24'),
  })
  // An open offer changes with the clock.
  await sql`update offers set state = 'withdrawn' where tenant_id = ${tenantId}`.execute(db)
  const twin = await plantTwin(service(), tenantId, WORD)
  await sql`insert into offers
    select (jsonb_populate_record(offers, jsonb_build_object('id', gen_random_uuid()))).*
    from offers, generate_series(1, 1000) where tenant_id = ${tenantId} and id = ${offer.id}`.execute(db)
  const tag = (await client.get('/offers')).headers.get('etag') ?? ''
  await sql`delete from offer_links where tenant_id = ${twin}`.execute(db)
  expect((await client.get('/offers', { 'if-none-match': tag })).status).toBe(304)
})
