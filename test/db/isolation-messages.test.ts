import { sql } from 'kysely'
import { afterEach, expect, it } from 'vitest'
import { linkTokenOf, readLinkToken } from '../../src/auth/link-token.ts'
import { newId } from '../../src/contract/new-id.ts'
import { readSkippedLessons } from '../../src/db/appointments/skipped-lessons.ts'
import { NO_ORDER } from '../../src/db/claim-order.ts'
import { inTransaction } from '../../src/db/connection/transaction.ts'
import { listStudentsToAsk, readAskedStudent } from '../../src/db/messages/asked-students.ts'
import {
  addAsked,
  addNextRound,
  findRound,
  finishRound,
  lockDueRound,
  removeFromRounds,
  scheduleRound,
} from '../../src/db/messages/availability-rounds.ts'
import {
  claimCauses,
  hasCauses,
  readComingLessons,
  readInstructorRecipients,
  readLessons,
  readLessonsOn,
  readMergingSets,
  readPreferredInstructors,
  readStudentRecipients,
} from '../../src/db/messages/message-facts.ts'
import {
  claimMessage,
  finishMessage,
  holdMessage,
  postponeMessage,
} from '../../src/db/messages/message-outbox.ts'
import { type NewMessage, queueMessages, readSentNotices } from '../../src/db/messages/messages.ts'
import {
  countUndelivered,
  listUndelivered,
  markTold,
  requeueMessage,
} from '../../src/db/messages/undelivered-messages.ts'
import {
  changeLessons,
  changeParams,
  dropMessage,
  dropMessages,
  forgetDroppedOccasions,
  lockWaitingActions,
  lockWaitingMessages,
  lockWaitingReminders,
  moveWaitingTimes,
  readdressMessages,
  readdressMessagesOf,
  withdrawLinkMessages,
} from '../../src/db/messages/waiting-messages.ts'
import { readBranches } from '../../src/db/school/locations.ts'
import { requireTenant } from '../../src/db/school/tenants.ts'
import {
  findOwnPage,
  findPage,
  listStudentsWithPage,
  storeMessageToken,
} from '../../src/db/students/links.ts'
import { readWishesOfStudents } from '../../src/db/students/wishes.ts'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { aSchool } from '../support/factory.ts'
import { templateOf } from '../support/trainer.ts'
import { plantTwins, rowsOfAll } from '../support/twin.ts'

const service = useService()

afterEach(() => service().setClock(undefined))

const NOW = new Date('2099-03-01T12:00:00Z')
const LATER = new Date('2099-03-02T12:00:00Z')
const TIMES = { start_at: '2099-03-03 08:00', end_at: '2099-03-03 09:30' }
const BOUNDS = { limit: 50 }

it('messages and what they are derived from are read and changed as if alone between two schools with the same ids', async () => {
  const { db } = service()
  service().setClock(NOW)
  await db.deleteFrom('messages').execute()
  const school = await aSchool(service(), { timezone: 'Europe/Berlin' })
  const { client, tenantId } = school
  const { id: instructor_id } = await school.instructor({ email: 'ida@reader.example' })
  const { id: another } = await school.instructor()
  const fields = { preferred_instructor_id: instructor_id, email: 'lena@reader.example' }
  const { id: student_id } = await school.student({ first_name: 'Lena', ...fields })
  const { id: wish } = must(201, await client.post(`/students/${student_id}/wishes`, { minutes: 90 }))
  const { id: branch } = must(201, await client.post('/locations', { name: 'Lenaplatz' }))
  const { id: lesson } = await school.lesson({ instructor_id, student_id, ...TIMES })
  const renamed = await client.patch(`/students/${student_id}`, { last_name: 'Moll' })
  const set_id = must(200, renamed) && String(renamed.headers.get('x-request-id'))
  await sql`insert into message_causes (tenant_id, id, at)
    select tenant_id, id, at from changes where tenant_id = ${tenantId} and set_id = ${set_id}`.execute(db)
  const lessons = [{ appointment_id: lesson, instructor_id, ...TIMES, was: null }]
  const sent = { student_id, lessons, channel: 'mail', to_address: 'a@reader.example' } as const
  const message = { ...sent, send_at: NOW, worth_until: LATER }
  const queued: readonly NewMessage[] = [
    { ...message, kind: 'moved' },
    { ...message, kind: 'reminder', occasion: 'reminder' },
    { ...message, kind: 'booked' },
    { ...message, kind: 'cancelled', channel: 'call', to_address: null },
    { ...message, kind: 'link', lessons: [] },
    { ...message, kind: 'student_wish', params: { hours: 1 } },
    { ...message, kind: 'booked', set_id, send_at: LATER },
    { ...message, kind: 'moved', lessons: [] },
    { ...message, kind: 'cancelled', lessons: [] },
  ]
  await queueMessages(db, tenantId, NOW, queued)
  const rows = await db
    .selectFrom('messages')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .orderBy('id')
    .execute()
  const [moved, reminder, booked, call, , action, , failed, dropped] = rows.map(({ id }) => ({ id }))
  if (!moved || !reminder || !booked || !call || !action || !failed || !dropped) throw new Error('not queued')
  const finished = { finished_at: NOW, params: null } as const
  const finish = (id: string, values: object) =>
    db
      .updateTable('messages')
      .set({ ...finished, ...values })
      .where('id', '=', id)
      .execute()
  await finish(failed.id, { state: 'failed', reason: 'refused' })
  await finish(dropped.id, { state: 'dropped', reason: 'no_address', occasion: 'dropped' })

  const reader = { tenantId, reader: null, now: TIMES.start_at, moment: NOW }
  const ids = [student_id]
  /** Returns everything that is read for messages, with maps and sets as lists. */
  const read = async () => {
    const found = [
      await listUndelivered(db, reader, BOUNDS),
      await listUndelivered(db, { ...reader, own: instructor_id }, BOUNDS),
      await countUndelivered(db, reader, { since: undefined, limit: 99 }),
      await readLessons(db, tenantId, [lesson]),
      await readComingLessons(db, tenantId, { from: '2099-03-01', student_ids: ids }),
      await readLessonsOn(db, tenantId, { date: '2099-03-03', instructor_id }),
      await readStudentRecipients(db, tenantId, ids),
      await readInstructorRecipients(db, tenantId, [instructor_id]),
      await readPreferredInstructors(db, tenantId, ids),
      await readMergingSets(db, tenantId, [set_id]),
      await readSentNotices(db, tenantId, [lesson]),
      await readWishesOfStudents(db, tenantId, [wish]),
      Array.from(await readBranches(db, tenantId, [{ instructor_id, location_id: branch }])),
      await readSkippedLessons(db, tenantId, { timezone: 'Europe/Berlin', now: NOW, limit: 9 }),
    ]
    return JSON.stringify(found, (_, value) =>
      value instanceof Map || value instanceof Set ? Array.from(value) : value,
    )
  }
  const alone = await read()
  for (const id of [student_id, instructor_id, failed.id, call.id]) expect(alone).toContain(id)
  const twins = await plantTwins(service(), tenantId, 'Lena')
  const inTwins = sql`tenant_id = any(${twins}::uuid[])`
  await sql`update students set messages_consent = true, deleted_at = null, preferred_instructor_id = ${another} where ${inTwins}`.execute(
    db,
  )
  await sql`update appointments set start_at = ${TIMES.start_at}, end_at = ${TIMES.end_at} where ${inTwins}`.execute(
    db,
  )
  await sql`update instructors set location_id = ${branch} where ${inTwins}`.execute(db)
  for (const twin of twins)
    await sql`insert into changes (tenant_id, id, set_id, actor_kind, actor_name, resource, resource_id, action, before, after)
      values (${twin}, ${newId()}, ${set_id}, 'command', 'test', 'student', ${student_id}, 'deleted', '{}', '{}')`.execute(
      db,
    )
  const everything = rowsOfAll(service(), twins)
  expect(await read()).toBe(alone)
  await db
    .updateTable('messages')
    .set({ state: 'sent', finished_at: NOW, params: null })
    .where('tenant_id', 'in', twins)
    .where('id', '=', booked.id)
    .execute()
  // More than are taken at once, and earlier than the school's.
  await sql`insert into message_causes (tenant_id, id, at)
    select twin, gen_random_uuid(), '2026-01-01' from unnest(${twins}::uuid[]) twin, generate_series(1, 500)`.execute(
    db,
  )
  // At a time that the zone skips.
  await sql`update appointments set start_at = '2099-03-29 02:30', end_at = '2099-03-29 04:00' where ${inTwins}`.execute(
    db,
  )
  expect(JSON.parse(await read()).slice(-4)).toEqual([[], ...JSON.parse(alone).slice(-3)])
  const before = await everything()

  await inTransaction(db, async (within) => {
    expect(await claimCauses(within, tenantId)).toHaveLength(1)
    expect(await hasCauses(within, tenantId)).toBe(false)
    const waiting = await lockWaitingMessages(within, tenantId, { appointmentIds: [lesson], setIds: [] })
    expect(waiting).toHaveLength(6)
    expect(await lockWaitingReminders(within, tenantId, ids)).toHaveLength(1)
    expect(await lockWaitingActions(within, tenantId)).toHaveLength(1)
    await changeParams(within, tenantId, { ...action, params: { hours: 2 } })
    await changeLessons(within, tenantId, { ...moved, lessons: [], send_at: LATER, worth_until: LATER })
    await moveWaitingTimes(within, tenantId, { from: 'Europe/Berlin', to: 'Europe/Lisbon', now: NOW })
    await withdrawLinkMessages(within, tenantId, student_id, NOW)
    const calledFor = ['cancelled'] as const
    await readdressMessages(within, tenantId, {
      id: student_id,
      channel: 'mail',
      address: 'b@reader.example',
      calledFor,
    })
    await readdressMessagesOf(within, tenantId, student_id)
    await dropMessage(within, tenantId, reminder.id, { reason: 'outdated', now: NOW })
    await forgetDroppedOccasions(within, tenantId, ids)
  })
  expect(await requeueMessage(db, tenantId, { ...failed, now: NOW })).toBe(true)
  expect(await markTold(db, tenantId, { ...call, now: NOW })).toBe(true)
  expect(await everything()).toEqual(before)

  await db
    .updateTable('messages')
    .set({ next_attempt_at: new Date('2099-12-31') })
    .where('tenant_id', 'in', twins)
    .execute()
  const still = await everything()
  const now = sql<Date>`${new Date('2099-03-02T11:00:00Z')}::timestamptz`
  for (const end of ['hold', 'postpone'] as const) {
    const claimed = await claimMessage(db, { now, seconds: 60, channel: 'mail', order: NO_ORDER })
    if (!claimed) throw new Error('no message is due')
    expect(claimed.tenant_id).toBe(tenantId)
    if (end === 'postpone') await postponeMessage(db, claimed, { until: LATER })
    else {
      expect(await holdMessage(db, claimed, true)).toBe(true)
      await finishMessage(db, claimed, { state: 'sent', reason: null, now })
    }
  }
  await dropMessages(db, tenantId, rows, { reason: 'outdated', now: NOW })
  expect(await everything()).toEqual(still)
})

const WEEK = '2099-03-09'
const DUE = new Date('2099-03-05T16:30:00Z')

it('a weekly round reads and writes its own school only, between two with the same ids', async () => {
  const { db } = service()
  service().setClock(new Date('2099-03-05T10:00:00Z'))
  const school = await aSchool(service(), { name: 'Prinzregent' })
  const { client, tenantId } = school
  const settings = { messages: { availability: true }, student_actions: { wish: true } }
  must(200, await client.patch('/tenant', { ...settings, availability_round: { weekday: 4, time: '17:00' } }))
  const license_class_template_id = await templateOf(school, 'B')
  const learner = async () => {
    const { id } = await school.student({ messages_consent: true, license_class_template_id })
    const { url } = must(200, await client.post(`/students/${id}/link`))
    const shown = readLinkToken(String(url).slice(-65))?.token_hash ?? Buffer.alloc(0)
    const { id: link = '' } = (await findOwnPage(db, tenantId, id)) ?? {}
    await storeMessageToken(db, tenantId, { id: link, token_hash: hashFor(id) })
    must(200, await client.put(`/students/${id}/availability/${WEEK}`, { lessons: 1, windows: null }))
    return { id, shown, wish: must(201, await client.post(`/students/${id}/wishes`, { minutes: 90 })) }
  }
  const [kept, left] = [await learner(), await learner()]
  const twins = await plantTwins(service(), tenantId, 'Prinzregent')
  await db
    .updateTable('availability_rounds')
    .set({ student_ids: [kept.id] })
    .where('tenant_id', 'in', twins)
    .execute()
  await db
    .updateTable('students')
    .set({ deleted_at: null, last_name: 'Twin' })
    .where('tenant_id', 'in', twins)
    .execute()
  for (const { id, wish } of [kept, left]) {
    must(204, await client.delete(`/students/${id}/availability/${WEEK}`))
    must(204, await client.delete(`/students/${id}/wishes/${wish.id}`))
  }
  must(204, await client.delete(`/students/${left.id}/link`))
  must(200, await client.patch(`/students/${kept.id}`, { last_name: 'Own' }))
  must(200, await client.patch(`/students/${left.id}`, { license_class_template_id: null }))
  const everything = rowsOfAll(service(), twins)
  const before = await everything()

  const question = {
    tenantId,
    week_start: WEEK,
    asked: [],
    after: '00000000-0000-0000-0000-000000000000',
    limit: 10,
  }
  expect(await listStudentsToAsk(db, question)).toEqual([{ id: kept.id, has_wish: false }])
  const state = await readAskedStudent(db, { tenantId, student_id: left.id, week_start: WEEK })
  expect(state).toEqual({ has_answered: false, is_enrolled: false })
  expect([...(await listStudentsWithPage(db, tenantId, [kept.id, left.id]))]).toEqual([kept.id])
  expect(await findOwnPage(db, tenantId, left.id)).toBeUndefined()
  for (const hash of [hashFor(left.id), left.shown])
    expect(await findPage(db, tenantId, hash)).toBeUndefined()
  expect(await findPage(db, tenantId, hashFor(kept.id))).toMatchObject({
    student_id: kept.id,
    last_name: 'Own',
  })
  const { id: link = '' } = (await findOwnPage(db, tenantId, kept.id)) ?? {}
  await storeMessageToken(db, tenantId, { id: link, token_hash: hashFor('another') })
  await inTransaction(db, async (within) => {
    const round = await lockDueRound(within, tenantId, DUE)
    expect(round).toMatchObject({ week_start: WEEK, student_ids: [] })
    if (!round) return
    await addAsked(within, tenantId, round, [kept.id])
    expect(await findRound(within, tenantId, WEEK)).toMatchObject({ state: 'asking', asked: 1, answered: 0 })
    await finishRound(within, tenantId, round, { state: 'asked', now: DUE })
    expect(await lockDueRound(within, tenantId, DUE)).toBeUndefined()
  })
  const tenant = await requireTenant(db, tenantId)
  const next = { ...tenant, availability_round: { weekday: 5, time: '09:00' } }
  await inTransaction(db, (within) => scheduleRound(within, { stored: tenant, next, now: DUE }))
  expect(await findRound(db, tenantId, '2099-03-16')).toMatchObject({ due_at: '2099-03-13T08:00:00.000Z' })
  await inTransaction(db, (within) => removeFromRounds(within, tenantId, kept.id))
  expect(await findRound(db, tenantId, WEEK)).toMatchObject({ asked: 0 })
  expect(await everything()).toEqual(before)

  await db
    .updateTable('availability_rounds')
    .set({ state: 'asked', finished_at: DUE, week_start: '2099-06-01' })
    .where('tenant_id', 'in', twins)
    .execute()
  await db
    .deleteFrom('availability_rounds')
    .where('tenant_id', '=', tenantId)
    .where('state', '=', 'waiting')
    .execute()
  await inTransaction(db, (within) => addNextRound(within, tenant, DUE))
  expect(await findRound(db, tenantId, '2099-03-16')).toMatchObject({ state: 'waiting' })
})

function hashFor(text: string): Buffer {
  return linkTokenOf('00000000-0000-0000-0000-000000000000', text).token_hash
}
