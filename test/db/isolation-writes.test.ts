import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { newId } from '../../src/contract/new-id.ts'
import { inTransaction } from '../../src/db/connection/transaction.ts'
import { putMail, withdrawMails } from '../../src/db/messages/mails.ts'
import { queueMessages } from '../../src/db/messages/messages.ts'
import { uncountAttempt } from '../../src/db/students/links.ts'
import { aLife, on, WORD } from '../support/a-life.ts'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { erase, NUMBER } from '../support/erasure.ts'
import { theoryOf } from '../support/group-office.ts'
import { everythingOf, plantTwin } from '../support/twin.ts'

const service = useService()
const TEMPLATE = 'password_reset'
const LATER = new Date('2099-01-01')
const PAST = { start_at: '2026-05-12 10:00', end_at: '2026-05-12 11:30' }

/** Makes a school with groups with and without the student, and everything that an erasure of the student removes. */
async function anOffice() {
  const life = await aLife(service())
  const { db } = service()
  const { client, tenantId, user } = life.school
  const { student, other, lesson, instructor } = life.ids
  const theory = { instructor_id: other, lesson_type_id: theoryOf(life.school), seats: 9 }
  const group = async (times: object, attendees: readonly object[]) =>
    must(201, await client.post('/appointments', { ...theory, ...times, attendees })).id as string
  const attended = [{ student_id: student }]
  const groups = [await group(on('17'), []), await group(PAST, [])]
  for (const times of [on('18'), { start_at: '2026-05-13 10:00', end_at: '2026-05-13 11:30' }]) {
    await group(times, attended)
  }
  const absences = [{ start_at: '2031-05-01 08:00', end_at: '2031-05-02 08:00', note: NUMBER }]
  must(200, await client.patch(`/instructors/${other}`, { absences }))
  const [offer] = (await client.get('/offers')).body
  await sql`update offers set taken_by = ${student} where tenant_id = ${tenantId}`.execute(db)
  await sql`update links set wrong_proofs = 1 where tenant_id = ${tenantId}`.execute(db)
  await sql`insert into changes (tenant_id, id, set_id, actor_kind, actor_id, actor_name, resource, resource_id, action, after)
    values (${tenantId}, ${newId()}, ${newId()}, 'student', ${student}, 'x', 'wish', ${newId()}, 'created', '{}')`.execute(
    db,
  )
  const lessons = [{ appointment_id: lesson, instructor_id: instructor, ...on('03'), was: null }]
  const told = { kind: 'booked', channel: 'mail', to_address: 'a@reader.example' } as const
  const message = { ...told, student_id: student, lessons, send_at: LATER, worth_until: LATER }
  await queueMessages(db, tenantId, new Date(), [message])
  await inTransaction(db, async (within) => {
    const to = { address: user.email, name: 'x' }
    await putMail(within, tenantId, { to, template: TEMPLATE, params: { url: 'x' }, worth_until: LATER })
  })
  return { ...life, groups, offer: offer.id as string }
}

type Office = Awaited<ReturnType<typeof anOffice>>

/** Makes the twin differ: the student is in all groups, practice is theory, and all classes require another lesson type. */
async function differ(twin: string, { school, ids, groups }: Office): Promise<void> {
  const { db } = service()
  const attended = JSON.stringify([{ student_id: ids.student }])
  await sql`update appointments set attendees = ${attended}
    where tenant_id = ${twin} and id = any(${groups}::uuid[])`.execute(db)
  await sql`update lesson_types set category = 'theory' where tenant_id = ${twin} and id = ${ids.lessonType}`.execute(
    db,
  )
  await sql`insert into template_requirements (tenant_id, license_class_template_id, position, lesson_type_id, required_units)
    select ${twin}, id, 99, ${school.lessonTypes.CONSULTATION}, 1 from license_class_templates
    where tenant_id = ${twin}`.execute(db)
}

/** Changes and deletes what the twins have, too, at the end the student. */
async function write({ school, ids, offer }: Office): Promise<void> {
  const { tenantId, client, user } = school
  const { db } = service()
  must(
    200,
    await client.patch(`/tenant/lesson-types/${school.lessonTypes.CONSULTATION}`, {
      name: 'Talk',
      position: 0,
    }),
  )
  must(204, await client.delete(`/offers/${offer}`))
  const balances = Buffer.from(
    `Nachname;Vorname;Art;Einheiten;Stand;Quelle\n${WORD};${WORD};RURAL;2;31.01.2026;Nord`,
  )
  const imported = must(
    200,
    await client.post('/opening-balance-imports', { file: balances.toString('base64') }),
  )
  expect(imported).toMatchObject({ imported: 1 })
  await inTransaction(db, (within) =>
    withdrawMails(within, { tenantId, userId: user.id, templates: [TEMPLATE] }),
  )
  const links = await sql<{ id: string }>`select id from links where tenant_id = ${tenantId}`.execute(db)
  for (const { id } of links.rows) await uncountAttempt(db, tenantId, id)
  const templates: readonly { id: string; code: string }[] = (await client.get('/license-class-templates'))
    .body
  const template = templates.find(({ code }) => code === 'BE')
  must(200, await client.patch(`/students/${ids.student}`, { license_class_template_id: template?.id }))
  expect(must(200, await client.get(`/appointments/${ids.lesson}`))).toMatchObject({ license_class: 'BE' })
  must(204, await client.delete(`/students/${ids.student}`))
  expect(await erase(service(), tenantId, ids.student)).toBe('erased')
}

it('writes change neither twin schools with the same ids nor own rows that only these would change', async () => {
  const office = await anOffice()
  const { groups } = office
  const { tenantId } = office.school
  const { db } = service()
  const twins: string[] = []
  for (const side of ['00000000', 'ffffffff'] as const) {
    twins.push(await plantTwin(service(), tenantId, WORD, side))
  }
  for (const twin of twins) await differ(twin, office)
  const everything = () => Promise.all(twins.map((twin) => everythingOf(service(), twin)))
  const before = await everything()
  const ownRows = async () => [
    await sql`select id, updated_at from license_class_templates where tenant_id = ${tenantId} order by id`.execute(
      db,
    ),
    await sql`select * from appointments where tenant_id = ${tenantId} and id = any(${groups}::uuid[]) order by id`.execute(
      db,
    ),
  ]
  const own = (await ownRows()).map(({ rows }) => rows)
  await write(office)
  expect(await everything()).toEqual(before)
  expect((await ownRows()).map(({ rows }) => rows)).toEqual(own)
})
