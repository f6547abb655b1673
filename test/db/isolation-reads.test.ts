import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { newId } from '../../src/contract/new-id.ts'
import type { Tenant } from '../../src/contract/tenant.ts'
import { MESSAGE_EVENT } from '../../src/contract/webhook.ts'
import { listActiveInstructorIds, readContacts } from '../../src/db/appointments/affected-appointments.ts'
import { listGroupsLeft } from '../../src/db/appointments/groups.ts'
import { listFeedLessons, readMissedLessons } from '../../src/db/calendars/shared-lessons.ts'
import { NO_ORDER } from '../../src/db/claim-order.ts'
import { inTransaction } from '../../src/db/connection/transaction.ts'
import { listNews } from '../../src/db/messages/inbox.ts'
import { putMail, secondsUntilMail, withdrawMails } from '../../src/db/messages/mails.ts'
import {
  claimCauses,
  readComingLessons,
  readInstructorRecipients,
  readLessons,
  readLessonsOn,
  readStudentRecipients,
} from '../../src/db/messages/message-facts.ts'
import { claimMessage, holdMessage, postponeMessage } from '../../src/db/messages/message-outbox.ts'
import { queueMessages, readSentNotices } from '../../src/db/messages/messages.ts'
import {
  changeLessons,
  dropMessage,
  forgetDroppedOccasions,
  lockWaitingMessages,
  readdressMessages,
} from '../../src/db/messages/waiting-messages.ts'
import { listStudentsGone } from '../../src/db/offers/gap-candidates.ts'
import { findOfferTo, listOpenOffersTo } from '../../src/db/offers/offers-of-student.ts'
import type { Transaction } from '../../src/db/schema/tables.ts'
import { findUseOf } from '../../src/db/school/vehicles.ts'
import { listLinksWithoutWish, setAnsweredWish } from '../../src/db/students/answered-wishes.ts'
import { uncountAttempt } from '../../src/db/students/links.ts'
import { teaches } from '../../src/db/students/student-sets.ts'
import { findWish, listStudentsOfWishes } from '../../src/db/students/wishes.ts'
import { findMessageWebhook } from '../../src/db/webhooks/webhooks.ts'
import { aLife, on, WORD } from '../support/a-life.ts'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { erase, NUMBER } from '../support/erasure.ts'
import { theoryOf } from '../support/group-office.ts'
import { plantTwins, rowsOfAll, type Side } from '../support/twin.ts'

const service = useService()

const NOW = new Date()
const LATER = new Date(NOW.getTime() + 86_400_000)
const DAY_AFTER = new Date(LATER.getTime() + 86_400_000)

/** Creates a school with an offer for a wish, messages in every state, and changes whose messages are not derived yet. */
async function aTold() {
  const life = await aLife(service())
  const { client, tenantId } = life.school
  const { student, instructor, other, lesson } = life.ids
  must(200, await client.patch('/tenant', { messages: { booked: true } }))
  must(200, await client.patch(`/students/${student}`, { messages_consent: true }))
  const hook = { url: `https://203.0.113.7/${WORD}`, events: [MESSAGE_EVENT] }
  const { id: webhook } = must(201, await client.post('/webhooks', hook))
  must(200, await client.patch(`/webhooks/${webhook}`, { disabled: true }))
  const { id: wish } = must(201, await client.post(`/students/${student}/wishes`, { minutes: 90 }))
  const time = { instructor_id: other, lesson_type_id: life.ids.lessonType, ...on('20') }
  const { id: offer } = must(201, await client.post('/offers', { ...time, student_ids: [student] }))
  const { id: left } = must(201, await client.post('/students', { first_name: 'Ben', last_name: 'Left' }))
  const { id: offerToLeft } = must(
    201,
    await client.post('/offers', { ...time, student_ids: [left], ...on('19') }),
  )
  const attended = {
    attendees: [{ student_id: left }],
    seats: 4,
    lesson_type_id: theoryOf(life.school),
  }
  must(201, await client.post('/appointments', { ...time, ...attended, ...on('18') }))
  must(204, await client.delete(`/students/${left}`))
  const { id: withdrawn } = must(201, await client.post(`/students/${student}/wishes`, { minutes: 45 }))
  must(204, await client.delete(`/students/${student}/wishes/${withdrawn}`))
  must(201, await client.post('/appointments', { ...time, student_id: student, ...on('21') }))
  must(200, await client.patch(`/appointments/${lesson}`, { location_id: life.ids.location }))
  const lessons = [{ appointment_id: lesson, instructor_id: instructor, ...on('03'), was: null }]
  const message = { student_id: student, lessons, worth_until: LATER }
  const told = (kind: 'booked' | 'moved' | 'reminder', to_address: string | null, more = {}) =>
    queueMessages(service().db, tenantId, NOW, [
      { ...message, kind, channel: 'mail', to_address, send_at: NOW, ...more },
    ])
  await told('booked', 'a@reader.example')
  await service()
    .db.updateTable('messages')
    .set({ state: 'sent', finished_at: NOW })
    .where('tenant_id', '=', tenantId)
    .execute()
  await told('moved', 'a@reader.example')
  await told('reminder', null, { occasion: WORD })
  const ids = { wish, withdrawn, offer, offerToLeft, left, nobody: newId() }
  return { ...life, told: ids as Record<keyof typeof ids, string> }
}

type MessageScene = Awaited<ReturnType<typeof aTold>>

/** Reads each part of the school's data that a request reads only together with other data. */
async function readsOf({ school: { tenantId }, ids, told }: MessageScene): Promise<object> {
  const { db } = service()
  const { student, moving, lesson, instructor, idle, other } = ids
  return inTransaction(db, async (within) => ({
    contacts: await readContacts(within, tenantId, [student, moving]),
    active: (await listActiveInstructorIds(within, tenantId)).toSorted(),
    lessons: await readLessons(within, tenantId, [lesson]),
    news: await listNews(
      within,
      { tenantId, reader: null, now: '2031-01-01 00:00', moment: NOW },
      { limit: 100 },
    ),
    missed: await readMissedLessons(
      within,
      { tenantId, student_id: student, from: '2030-01-01' },
      { now: '2030-01-01 00:00', limit: 10 },
    ),
    coming: await readComingLessons(within, tenantId, { from: '2031-01-01 00:00' }),
    onDay: await readLessonsOn(within, tenantId, { date: '2031-03-10' }),
    offers: await listOpenOffersTo(within, { tenant: { id: tenantId } as Tenant, now: NOW }, ids.unrelated),
    ofLeft: await findOfferTo(within, tenantId, { offer_id: told.offerToLeft, student_id: told.left }),
    ofOther: await findOfferTo(within, tenantId, { offer_id: told.offerToLeft, student_id: ids.unrelated }),
    groupsLeft: await listGroupsLeft(within, tenantId, told.left),
    students: await readStudentRecipients(within, tenantId, [student, ids.gone]),
    instructors: await readInstructorRecipients(within, tenantId, [instructor, idle, told.nobody]),
    sent: await readSentNotices(within, tenantId, [lesson]),
    waiting: await lockWaitingMessages(within, tenantId, { appointmentIds: [lesson], setIds: [] }),
    wishing: await listStudentsOfWishes(within, tenantId, [told.wish]),
    wish: await findWish(within, tenantId, { student_id: student, wish_id: told.wish }),
    withdrawn: await findWish(within, tenantId, { student_id: student, wish_id: told.withdrawn }),
    withoutWish: await listLinksWithoutWish(within, tenantId, [student]),
    teach: [await teaches(within, tenantId, idle), await teaches(within, tenantId, other)],
    webhook: await findMessageWebhook(within, tenantId),
    use: await findUseOf(within, tenantId, { id: told.nobody, after: '2031-01-01 00:00' }),
    seconds: await secondsUntilMail(within, tenantId, 'ida@reader.example'),
    gone: await listStudentsGone(within, tenantId, on('25')),
    feed: await listFeedLessons(within, {
      ...{ tenantId, instructor_id: instructor, from: '2031-01-01 00:00', to: '2032-01-01 00:00' },
    }).page({ limit: 100 }),
  }))
}

it('reads of messages, offers and lessons are unchanged by twin schools with the same ids', async () => {
  const told = await aTold()
  const before = await readsOf(told)
  expect(before).toMatchObject({
    ofLeft: undefined,
    ofOther: undefined,
    withdrawn: undefined,
    webhook: undefined,
    use: undefined,
    seconds: 0,
    gone: new Set(),
  })
  await plantTwins(service(), told.school.tenantId, WORD, (twin, side) => differ(twin, told, side))
  expect(await readsOf(told)).toEqual(before)
})

/** Makes the twin differ: more mails and instructors, a moved lesson, a vehicle in use, reopened offers and wishes. On one side a wish is withdrawn. */
async function differ(twin: string, { ids, told }: MessageScene, side: Side): Promise<void> {
  const { db } = service()
  await sql`update webhooks set disabled_at = null where tenant_id = ${twin}`.execute(db)
  await sql`update appointments set status = 'no_show' where tenant_id = ${twin} and id = ${ids.lesson}`.execute(
    db,
  )
  // A student who is deleted in one school only would hide a read of the other's.
  if (side === 'ffffffff')
    await sql`update students set deleted_at = null where tenant_id = ${twin}`.execute(db)
  await sql`insert into mails (tenant_id, id, to_address, to_name, template, params, next_attempt_at, worth_until)
    select ${twin}, gen_random_uuid(), 'ida@reader.example', 'x', 'password_reset', '{}', ${LATER}, ${LATER}
    from generate_series(1, 5)`.execute(db)
  await sql`insert into messages (tenant_id, id, kind, student_id, to_address, state, finished_at, send_at, worth_until, next_attempt_at)
    select ${twin}, gen_random_uuid(), 'link', ${ids.unrelated}, 'ida@reader.example', 'sent', now(), now(), now(), now()
    from generate_series(1, 5)`.execute(db)
  const cancelled = {
    ...{ id: newId(), status: 'cancelled', cancellation: { by: 'student' }, ...on('25') },
  }
  await sql`insert into appointments
    select (jsonb_populate_record(lesson, ${JSON.stringify(cancelled)}::jsonb)).*
    from appointments lesson where tenant_id = ${twin} and id = ${ids.lesson}`.execute(db)
  await sql`insert into changes
    (tenant_id, id, at, actor_kind, actor_id, actor_name, resource, resource_id, action, set_id, before, after)
    values (${twin}, gen_random_uuid(), now(), 'student', ${ids.student}, 'x', 'appointment', ${ids.lesson}, 'changed',
      gen_random_uuid(), ${JSON.stringify(on('25'))}, '{}')`.execute(db)
  await sql`update appointments set instructor_id = ${ids.idle} where tenant_id = ${twin} and id = ${ids.movingLesson}`.execute(
    db,
  )
  await sql`update appointments set vehicle_ids = array[${told.nobody}]::uuid[]
    where tenant_id = ${twin} and id = ${ids.movingLesson}`.execute(db)
  await sql`update students set deleted_at = null
    where tenant_id = ${twin} and id in (${told.left}, ${ids.unrelated})`.execute(db)
  await sql`insert into changes
    (tenant_id, id, at, actor_kind, actor_name, resource, resource_id, action, set_id, before, after)
    select tenant_id, gen_random_uuid(), at + interval '1 day', actor_kind, actor_name, resource, resource_id, action,
      gen_random_uuid(), before, after
    from changes where tenant_id = ${twin} and resource_id = ${told.left} and action = 'deleted'`.execute(db)
  await sql`update offer_links set student_id = ${ids.unrelated}
    where tenant_id = ${twin} and offer_id = ${told.offerToLeft}`.execute(db)
  await sql`update wishes set deleted_at = null where tenant_id = ${twin} and id = ${told.withdrawn}`.execute(
    db,
  )
  await sql`insert into calendars (tenant_id, id, kind) values (${twin}, ${told.nobody}, 'instructor')`.execute(
    db,
  )
  await sql`insert into instructors
    select (jsonb_populate_record(idle, ${JSON.stringify({ id: told.nobody })}::jsonb)).*
    from instructors idle where tenant_id = ${twin} and id = ${ids.idle}`.execute(db)
  const { start_at, end_at } = on('20')
  await sql`update appointments set instructor_id = ${ids.other}, start_at = ${start_at}, end_at = ${end_at}
    where tenant_id = ${twin} and id = ${ids.lesson}`.execute(db)
  if (side === 'ffffffff')
    await sql`update wishes set deleted_at = now() where tenant_id = ${twin} and id = ${told.wish}`.execute(
      db,
    )
}

it('writes of messages and offers do not change twin schools with the same ids', async () => {
  await service().db.deleteFrom('messages').execute()
  const told = await aTold()
  const { school, ids } = told
  const { wish, offer } = told.told
  const { tenantId } = school
  const { db } = service()
  const twins = await plantTwins(service(), tenantId, WORD)
  const later = { next_attempt_at: new Date('2099-01-01'), attempts: 1 }
  await db.updateTable('messages').set(later).where('tenant_id', 'in', twins).execute()
  await db.updateTable('offer_links').set({ wish_id: null }).where('tenant_id', 'in', twins).execute()
  const everything = rowsOfAll(service(), twins)
  const before = await everything()
  await inTransaction(db, async (within: Transaction) => {
    const causes = await claimCauses(within, tenantId)
    expect(causes.map(({ resource }) => resource)).toContain('appointment')
    const [waiting] = await lockWaitingMessages(within, tenantId, {
      appointmentIds: [ids.lesson],
      setIds: [],
    })
    if (!waiting) throw new Error('no message waits')
    await changeLessons(within, tenantId, { ...waiting, send_at: DAY_AFTER })
    await readdressMessages(within, tenantId, {
      id: ids.student,
      channel: 'mail',
      address: 'b@reader.example',
    })
    await forgetDroppedOccasions(within, tenantId, [ids.student])
    await setAnsweredWish(within, tenantId, { offer_id: offer, student_id: ids.student, wish_id: wish })
  })
  const claimed = await claimMessage(db, {
    now: sql<Date>`${DAY_AFTER}::timestamptz`,
    seconds: 60,
    channel: 'mail',
    order: NO_ORDER,
  })
  expect(claimed).toMatchObject({ tenant_id: tenantId })
  if (!claimed) return
  expect(await holdMessage(db, claimed, true)).toBe(true)
  await postponeMessage(db, claimed, { until: LATER })
  await dropMessage(db, tenantId, claimed.id, { reason: 'past', now: NOW })
  expect(await everything()).toEqual(before)
})

const TEMPLATE = 'password_reset'
const FAR = new Date('2099-01-01')
const PAST = { start_at: '2026-05-12 10:00', end_at: '2026-05-12 11:30' }

/** Makes a school with groups with and without the student, and everything that an erasure of the student removes. */
async function anErasedOffice() {
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
  const message = { ...told, student_id: student, lessons, send_at: FAR, worth_until: FAR }
  await queueMessages(db, tenantId, new Date(), [message])
  await inTransaction(db, async (within) => {
    const to = { address: user.email, name: 'x' }
    await putMail(within, tenantId, { to, template: TEMPLATE, params: { url: 'x' }, worth_until: FAR })
  })
  return { ...life, groups, offer: offer.id as string }
}

type ErasedOffice = Awaited<ReturnType<typeof anErasedOffice>>

/** Makes the twin differInGroups: the student is in all groups, practice is theory, and all classes require another lesson type. */
async function differInGroups(twin: string, { school, ids, groups }: ErasedOffice): Promise<void> {
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
async function writeAll({ school, ids, offer }: ErasedOffice): Promise<void> {
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
  const office = await anErasedOffice()
  const { groups } = office
  const { tenantId } = office.school
  const { db } = service()
  const twins = await plantTwins(service(), tenantId, WORD, (twin) => differInGroups(twin, office))
  const everything = rowsOfAll(service(), twins)
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
  await writeAll(office)
  expect(await everything()).toEqual(before)
  expect((await ownRows()).map(({ rows }) => rows)).toEqual(own)
})
