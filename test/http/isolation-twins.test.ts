import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { newId } from '../../src/contract/new-id.ts'
import { requireAgendas } from '../../src/db/calendars/agendas.ts'
import { NO_ORDER } from '../../src/db/claim-order.ts'
import { inTransaction } from '../../src/db/connection/transaction.ts'
import { claimMail, finishMail, postponeMail, putMail, readMailSchool } from '../../src/db/messages/mails.ts'
import { examine } from '../../src/doctor/examine.ts'
import { writeTransferFile } from '../../src/transfer/write-file.ts'
import { aLife, on, WORD } from '../support/a-life.ts'
import { useService } from '../support/app.ts'
import { liveBesideTwins } from '../support/beside-twins.ts'
import { must } from '../support/client.ts'
import { erase } from '../support/erasure.ts'
import { aSchool } from '../support/factory.ts'
import { addStudents } from '../support/long-list.ts'
import { enrich } from '../support/rich-school.ts'
import { readEverything } from '../support/school-life.ts'
import { rowsIn } from '../support/transfer-file.ts'
import { everythingOf, plantTwin } from '../support/twin.ts'

const service = useService()
/** The timeout for some 300 requests to each school. */
const PATIENCE = 120_000

it(
  'a school between two schools with the same ids works as if alone, and changes neither',
  {
    // One request of every kind: the smoke test of each resource.
    tags: 'embedded_later',
    timeout: PATIENCE,
  },
  () => liveBesideTwins(service()),
)

it('changes in a twin school with the same ids do not change entity tags', async () => {
  const { school } = await aLife(service())
  const twin = await plantTwin(service(), school.tenantId, WORD)
  await addStudents(service(), school, 1001)
  const paths = ['/students', '/students?with=progress,readiness', '/appointments', '/bootstrap']
  const tags = new Map<string, string>()
  // One after another: on a busy machine, one of four at once is asked to come back later.
  for (const path of paths) {
    const answer = await school.client.get(path)
    must(200, answer)
    tags.set(path, answer.headers.get('etag') ?? '')
  }
  for (const table of ['calendars', 'students', 'instructors', 'appointments']) {
    await sql`update ${sql.table(table)} set version = version + 1 where tenant_id = ${twin}`.execute(
      service().db,
    )
  }
  for (const [path, tag] of tags) {
    const { status } = await school.client.get(path, { 'if-none-match': tag })
    expect([path, status]).toEqual([path, 304])
  }
})

it('sending and delaying a mail uses the name of its own school and leaves the twin unchanged', async () => {
  const { db } = service()
  await db.deleteFrom('mails').execute()
  const { tenantId } = await aSchool(service(), { name: WORD })
  for (const template of ['password_reset', 'password_reset'] as const) {
    const to = { address: 'ida@reader.example', name: WORD }
    const worth_until = new Date(Date.now() + 3_600_000)
    await inTransaction(db, (within) =>
      putMail(within, tenantId, { to, template, params: { url: `https://${WORD}.example` }, worth_until }),
    )
  }
  const twin = await plantTwin(service(), tenantId, WORD)
  const later = { next_attempt_at: new Date(Date.now() + 86_400_000), attempts: 1 }
  await db.updateTable('mails').set(later).where('tenant_id', '=', twin).execute()
  const before = await everythingOf(service(), twin)
  const [sent, delayed] = [
    await claimMail(db, { seconds: 60, order: NO_ORDER }),
    await claimMail(db, { seconds: 60, order: NO_ORDER }),
  ]
  for (const mail of [sent, delayed]) expect(mail).toMatchObject({ tenant_id: tenantId, to_name: WORD })
  expect(await readMailSchool(db, tenantId)).toMatchObject({ name: WORD })
  if (!sent || !delayed) throw new Error('nothing was claimed')
  await finishMail(db, sent, { state: 'sent', last_error: null })
  await postponeMail(db, delayed, { last_error: 'away', seconds: 60 })
  expect(await everythingOf(service(), twin)).toEqual(before)
})

// The school between twins gets its responses above, and its file in `db/transfer`.
it('a school gets the same responses and the same school file after other schools are added', {
  tags: 'long',
}, async () => {
  const life = await aLife(service())
  const { school, ids, links } = life
  const { tenantId, client } = school
  // The lower limit makes the doctor report lessons that were booked before.
  await client.patch(`/instructors/${ids.other}`, { max_daily_units: 1 })
  // The first use of a link is recorded.
  for (const path of Object.values(links)) await client.get(path)
  const said = async () => {
    const { appointments } = await examine(service().db, { tenantId, onFinding: () => undefined })
    return [...(await readEverything(service(), life)), appointments, ...(await fileOf(tenantId))]
  }
  const before = await said()
  for (const side of ['00000000', 'ffffffff'] as const) await plantTwin(service(), tenantId, WORD, side)
  await enrich(service(), await aSchool(service()))
  expect(await said()).toEqual(before)
})

it("agendas use the school's own shortest lesson and contain each instructor once", async () => {
  const { school, ids } = await aLife(service())
  await plantTwin(service(), school.tenantId, WORD)
  const tenant = (await school.client.get('/auth/me')).body.tenant
  const asked = { lesson: {}, lesson_type_id: null, range: { start: 0, end: 1 } }
  const agendasOf = (...instructor_ids: readonly string[]) =>
    requireAgendas(service().db, { tenant, now: new Date() }, { ...asked, instructor_ids })
  expect(await agendasOf()).toMatchObject({ shortest_minutes: 45 })
  expect((await agendasOf(ids.other)).instructors).toHaveLength(1)
})

async function fileOf(tenantId: string): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'fahrplan-twins-'))
  const path = join(folder, 'school.gz')
  await writeTransferFile(service().db, { tenantId, path, now: new Date() })
  const rows = rowsIn(path)
  await rm(folder, { recursive: true })
  return rows
}

it("an erasure leaves lessons unchanged that are the student's only in the twin", async () => {
  const { school, ids } = await aLife(service())
  const { db } = service()
  const { tenantId, client } = school
  const { student, other: instructor_id } = ids
  const { id: now } = await school.lesson({ instructor_id, notes: 'now', ...on('18') })
  const { id: once } = await school.lesson({ instructor_id, notes: 'once', ...on('19') })
  await client.delete(`/students/${student}`)
  const twin = await plantTwin(service(), tenantId, WORD)
  const inTwin = sql`where tenant_id = ${twin} and`
  await sql`update appointments set student_id = ${student} ${inTwin} id = ${now}`.execute(db)
  await sql`insert into changes (tenant_id, id, set_id, actor_kind, actor_name, resource, resource_id, action, before, after)
    values (${twin}, ${newId()}, ${newId()}, 'command', 'test', 'appointment', ${once}, 'changed',
      ${JSON.stringify({ student_id: student })}::json, '{}')`.execute(db)
  const histories = async () => {
    const answers = [now, once].map((id) => client.get(`/appointments/${id}/history`))
    return (await Promise.all(answers)).map(({ text }) => text)
  }
  const before = await histories()
  expect(await erase(service(), tenantId, student)).toBe('erased')
  expect(await histories()).toEqual(before)
})
