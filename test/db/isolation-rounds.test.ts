import { expect, it } from 'vitest'
import { linkTokenOf, readLinkToken } from '../../src/auth/link-token.ts'
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
import { requireTenant } from '../../src/db/school/tenants.ts'
import {
  findOwnPage,
  findPage,
  listStudentsWithPage,
  storeMessageToken,
} from '../../src/db/students/links.ts'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { aSchool } from '../support/factory.ts'
import { templateOf } from '../support/trainer.ts'
import { everythingOf, plantTwin } from '../support/twin.ts'

const service = useService()
const WEEK = '2099-03-09'
const NOW = new Date('2099-03-05T16:30:00Z')

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
  const twins = [
    await plantTwin(service(), tenantId, 'Prinzregent'),
    await plantTwin(service(), tenantId, 'Prinzregent', 'ffffffff'),
  ]
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
  const before = await Promise.all(twins.map((twin) => everythingOf(service(), twin)))

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
    const round = await lockDueRound(within, tenantId, NOW)
    expect(round).toMatchObject({ week_start: WEEK, student_ids: [] })
    if (!round) return
    await addAsked(within, tenantId, round, [kept.id])
    expect(await findRound(within, tenantId, WEEK)).toMatchObject({ state: 'asking', asked: 1, answered: 0 })
    await finishRound(within, tenantId, round, { state: 'asked', now: NOW })
    expect(await lockDueRound(within, tenantId, NOW)).toBeUndefined()
  })
  const tenant = await requireTenant(db, tenantId)
  const next = { ...tenant, availability_round: { weekday: 5, time: '09:00' } }
  await inTransaction(db, (within) => scheduleRound(within, { stored: tenant, next, now: NOW }))
  expect(await findRound(db, tenantId, '2099-03-16')).toMatchObject({ due_at: '2099-03-13T08:00:00.000Z' })
  await inTransaction(db, (within) => removeFromRounds(within, tenantId, kept.id))
  expect(await findRound(db, tenantId, WEEK)).toMatchObject({ asked: 0 })
  expect(await Promise.all(twins.map((twin) => everythingOf(service(), twin)))).toEqual(before)

  await db
    .updateTable('availability_rounds')
    .set({ state: 'asked', finished_at: NOW, week_start: '2099-06-01' })
    .where('tenant_id', 'in', twins)
    .execute()
  await db
    .deleteFrom('availability_rounds')
    .where('tenant_id', '=', tenantId)
    .where('state', '=', 'waiting')
    .execute()
  await inTransaction(db, (within) => addNextRound(within, tenant, NOW))
  expect(await findRound(db, tenantId, '2099-03-16')).toMatchObject({ state: 'waiting' })
})

function hashFor(text: string): Buffer {
  return linkTokenOf('00000000-0000-0000-0000-000000000000', text).token_hash
}
