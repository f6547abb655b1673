import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, expect, it } from 'vitest'
import { queueMessages } from '../../src/db/messages/messages.ts'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { anEnquiry, enquiriesOf } from '../support/enquiries.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'
import { everythingOf, plantTwin } from '../support/twin.ts'

const service = useService()
let school: School
let self: Row
let other: Row
let moved: Row
let offers: readonly [string, string]

const TIMES = { start_at: '2099-03-03 08:00', end_at: '2099-03-03 09:30' }

/** Creates two students with everything that moves; the second of two offers went to both. */
beforeEach(async () => {
  school = await aSchool(service())
  const { client, tenantId } = school
  const { db } = service()
  const instructor = await school.instructor({ license_classes: ['B'] })
  const templates: Row[] = must(200, await client.get('/license-class-templates'))
  const license_class_template_id = templates.find(({ code }) => code === 'B')?.id
  self = await school.student({ license_class_template_id })
  other = await school.student({ license_class_template_id, phone: '0170 1234567' })
  moved = await school.lesson({ instructor_id: instructor.id, student_id: other.id, ...TIMES })
  const [enrolment] = must(200, await client.get(`/students/${other.id}/enrolments`)) as Row[]
  must(200, await client.put(`/enrolments/${enrolment?.id}/ticks/contract`, { date: '2026-01-20' }))
  const brought = { lesson_type_id: school.lessonTypes.RURAL, units: 3, date: '2026-01-31', source: 'Nord' }
  must(200, await client.put(`/students/${other.id}/opening-balance`, [brought]))
  const [send_at, worth_until] = [new Date(), new Date('2099-03-02T07:00:00Z')]
  const lessons = [{ appointment_id: moved.id, instructor_id: instructor.id, ...TIMES, was: null }]
  const message = { kind: 'moved', student_id: other.id, lessons, channel: 'mail' } as const
  await queueMessages(db, tenantId, send_at, [{ ...message, to_address: null, send_at, worth_until }])
  offers = [randomUUID(), randomUUID()].toSorted() as [string, string]
  for (const [at, id] of offers.entries()) {
    await sql`insert into offers (tenant_id, id, instructor_id, lesson_type_id, start_at, end_at, expires_at, state, appointment_id, taken_by)
      values (${tenantId}, ${id}, ${instructor.id}, ${school.lessonTypes.PRACTICE}, ${TIMES.start_at}, ${TIMES.end_at}, now(),
        'taken', ${moved.id}, ${other.id})`.execute(db)
    for (const student of at === 0 ? [other] : [self, other]) await linkTo(tenantId, id, student)
  }
  const { id } = await anEnquiry(service(), school)
  await sql`update enquiries set state = 'enrolled', student_id = ${other.id}
    where tenant_id = ${tenantId} and id = ${id}`.execute(db)
})

async function linkTo(tenantId: string, offer_id: string, { id }: Row): Promise<void> {
  await sql`insert into offer_links (tenant_id, offer_id, student_id, token_hash)
    values (${tenantId}, ${offer_id}, ${id}, ${Buffer.from(randomUUID())})`.execute(service().db)
}

/** Returns the students of the school's messages, enquiries, taken offers and links. */
async function receivers(): Promise<readonly (readonly unknown[])[]> {
  const { rows } = await sql<{ what: string; id: string; is_kept: boolean }>`
    select 'message' as what, '' as id, student_id = ${self.id} as is_kept from messages
      where tenant_id = ${school.tenantId} and kind = 'moved'
    union all select 'enquiry', '', student_id = ${self.id} from enquiries where tenant_id = ${school.tenantId}
    union all select 'taken', id::text, taken_by = ${self.id} from offers where tenant_id = ${school.tenantId}
    union all select 'link', offer_id::text, student_id = ${self.id} from offer_links
      where tenant_id = ${school.tenantId} order by 1, 2, 3`.execute(service().db)
  return rows.map(({ what, id, is_kept }) => [what, offers.indexOf(id), is_kept])
}

const merge = () => school.client.post(`/students/${self.id}/merge`, { other_id: other.id })
const balance = async () => must(200, await school.client.get(`/students/${self.id}/opening-balance`))
const held = async () => (await school.client.get(`/students/${self.id}/hold`)).status

async function undoLast(): Promise<void> {
  const [last] = must(200, await school.client.get(`/students/${self.id}/history`)) as Row[]
  const { refused } = must(200, await school.client.post(`/changes/sets/${last?.set_id}/undo`))
  expect(refused).toEqual([])
}

async function mergeAndUndo(): Promise<void> {
  must(200, await merge())
  expect(await balance()).toMatchObject([{ units: 3 }])
  expect(await receivers()).toEqual([
    ['enquiry', -1, true],
    ['link', 0, true],
    ['link', 1, false],
    ['link', 1, true],
    ['message', -1, true],
    ['taken', 0, true],
    ['taken', 1, true],
  ])
  await undoLast()
  expect((await receivers()).filter(([what]) => what !== 'link')).toEqual([
    ['enquiry', -1, false],
    ['message', -1, false],
    ['taken', 0, false],
    ['taken', 1, false],
  ])
  expect(await enquiriesOf(school)).toMatchObject([{ student_id: other.id, version: 3 }])
  await undoLast()
  expect(await enquiriesOf(school)).toMatchObject([{ student_id: self.id, version: 4 }])
  expect(must(200, await school.client.get(`/appointments/${moved.id}`)).student_id).toBe(self.id)
  expect(await balance()).toMatchObject([{ units: 3 }])
}

it('a merge and its undo work as if alone beside a school with the same ids, and do not change it', async () => {
  must(200, await school.client.put(`/students/${other.id}/hold`, { reason: 'Fee' }))
  const twin = await plantTwin(service(), school.tenantId, 'none')
  await sql`update students set opening_balance = '[{}]' where tenant_id = ${twin}`.execute(service().db)
  await sql`update enquiries set state = 'enrolled', student_id = ${other.id} where tenant_id = ${twin}`.execute(
    service().db,
  )
  const before = await everythingOf(service(), twin)
  await mergeAndUndo()
  expect(await held()).toBe(200)
  expect(await everythingOf(service(), twin)).toEqual(before)
})

it('signatures, holds, lessons, papers and links of a school with the same ids neither hinder nor change a merge', async () => {
  const { db } = service()
  const twin = await plantTwin(service(), school.tenantId, 'none')
  await sql`update students set hold_reason = 'Fee' where tenant_id = ${twin}`.execute(db)
  // The ids come from here: a Citus cluster changes rows by no volatile function.
  await sql`update appointments set id = ${randomUUID()}, start_at = ${TIMES.start_at}, end_at = ${TIMES.end_at},
    student_id = ${self.id} where tenant_id = ${twin} and id = ${moved.id}`.execute(db)
  await sql`update ticks set id = ${randomUUID()} where tenant_id = ${twin}`.execute(db)
  await sql`insert into signatures (tenant_id, id, student_id, enrolment_id, "as", name, digest, document, actor_kind, actor_name, at)
    select ${twin}, gen_random_uuid(), signer.id, enrolments.id, 'student', 'Lena', 'x', '{}', 'user', 'Ida', now() from enrolments
      join students signer on signer.tenant_id = enrolments.tenant_id
    where enrolments.tenant_id = ${twin}`.execute(db)
  await linkTo(twin, offers[0], self)
  await mergeAndUndo()
  expect(await held()).toBe(404)
})
