import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { releaseWebhook } from '../../src/db/webhooks/webhook-claims.ts'
import { useOwnService } from '../support/app.ts'
import { asOwner } from '../support/as-owner.ts'
import { CANARY } from '../support/canary.ts'
import { must } from '../support/client.ts'
import { aSchool } from '../support/factory.ts'
import { everythingOf, plantTwin } from '../support/twin.ts'
import { HERE } from '../support/use-outbox.ts'
import { deliveriesOf, hookOf, useWebhookDispatchers } from './dispatchers.ts'

const service = useOwnService({ webhookAllowedNetworks: HERE })
const { hire, receive } = useWebhookDispatchers(service)

const WORD = 'spatz'

it.each(['00000000', 'ffffffff'] as const)(
  'using a webhook neither reads nor changes a school with the same ids (%s)',
  async (side) => {
    const { db } = service()
    const school = await aSchool(service(), { name: WORD })
    const { cursor } = must(200, await school.client.get('/changes/since'))
    let status = 204
    const receiver = await receive(() => ({ status }))
    const key = { 'idempotency-key': randomUUID() }
    const fields = { url: `${receiver.url}?${WORD}`, events: ['student.*'] }
    const made = must(201, await school.client.post('/webhooks', fields, key))
    const { id } = await school.student({ first_name: WORD })
    const webhookDispatcher = hire()
    await receiver.receives(1)
    await expect.poll(() => deliveriesOf(school, made)).toMatchObject([{ state: 'delivered' }])
    await webhookDispatcher.stop()
    const twin = await plantTwin(service(), school.tenantId, WORD, side)
    const later = new Date(Date.now() + 86_400_000)
    await db
      .updateTable('webhooks')
      .set({ next_look_at: later, round: 7, turn: 7, secret: Buffer.from(CANARY) })
      .where('tenant_id', '=', twin)
      .execute()
    // As many as a webhook may have waiting, with the same change at the same time, due in the next round.
    await sql`update webhook_deliveries set state = 'waiting', finished_at = null, status = 418, round = 2
      where tenant_id = ${twin}`.execute(db)
    await sql`insert into webhook_deliveries (tenant_id, webhook_id, id, changed_at, type, resource_id, round)
      select tenant_id, webhook_id, gen_random_uuid(), changed_at, type, gen_random_uuid(), round
      from webhook_deliveries, generate_series(1, 1000) where tenant_id = ${twin}`.execute(db)
    // A success later than any failure.
    await sql`insert into webhook_deliveries (tenant_id, webhook_id, id, changed_at, type, resource_id, round, state, finished_at)
      select tenant_id, webhook_id, gen_random_uuid(), changed_at, type, gen_random_uuid(), round, 'delivered', ${later}
      from webhook_deliveries where tenant_id = ${twin} limit 1`.execute(db)
    await asOwner(service(), async (owner) => {
      // One statement for each, because on a cluster the schools are on different workers.
      const own = owner.selectFrom('changes').select(['id', 'at']).where('tenant_id', '=', school.tenantId)
      for (const change of await own.where('resource_id', '=', id).execute())
        await sql`update changes set at = ${change.at} where tenant_id = ${twin} and id = ${change.id}`.execute(
          owner,
        )
    })
    const before = await everythingOf(service(), twin)
    expect(must(201, await school.client.post('/webhooks', fields, key))).toEqual(made)
    const path = `/webhooks/${made.id}`
    expect((await school.client.get('/webhooks')).text).not.toContain(CANARY)
    expect(await deliveriesOf(school, made)).toMatchObject([{ status: 204 }])
    status = 500
    await school.client.patch(`/students/${id}`, { notes: WORD })
    must(200, await school.client.post(`${path}/replay`, { since: cursor }))
    const again = hire()
    await expect.poll(async () => (await deliveriesOf(school, made))[0]).toMatchObject({ status: 500 })
    status = 204
    await expect
      .poll(() => deliveriesOf(school, made))
      .toMatchObject([{ state: 'delivered' }, { state: 'delivered' }])
    for (const { body } of receiver.received) expect(body).not.toContain(CANARY)
    await again.stop()
    expect(await failuresAfterAFailedTurn(school.tenantId)).toBe(0)
    expect(await everythingOf(service(), twin)).toEqual(before)
    await holdTheNextTurn(twin, school.tenantId)
    const held = await everythingOf(service(), twin)
    status = 410
    await school.client.patch(`/students/${id}`, { notes: null })
    const last = hire({ intervals: { patience: 0 } })
    await expect.poll(() => hookOf(school, made)).toMatchObject({ disabled: true })
    await last.stop()
    expect(await deliveriesOf(school, made)).toMatchObject([{}, {}, { state: 'waiting', status: 410 }])
    must(200, await school.client.patch(path, { disabled: false, events: ['instructor.*'] }))
    expect((await school.client.delete(path)).status).toBe(204)
    expect((await school.client.get('/webhooks')).body).toEqual([])
    expect(await everythingOf(service(), twin)).toEqual(held)
    expect((await school.client.get(`${path}/deliveries`)).status).toBe(404)
  },
)

/** Ends a failed turn of the school's webhook, and returns the failures that count: none if no delivery of the school waits. */
async function failuresAfterAFailedTurn(tenant_id: string): Promise<number> {
  const { db } = service()
  const own = db.selectFrom('webhooks').select(['id', 'turn', 'position', 'failures'])
  const { id, turn, position } = await own.where('tenant_id', '=', tenant_id).executeTakeFirstOrThrow()
  const turnOver = { seconds: 0, position, failures: 3, hasSucceeded: false }
  await releaseWebhook(db, { tenant_id, id, turn }, turnOver)
  return (await own.where('tenant_id', '=', tenant_id).executeTakeFirstOrThrow()).failures
}

/** Makes the twin's webhook have and hold the next turn of the school's webhook. */
async function holdTheNextTurn(twin: string, tenantId: string): Promise<void> {
  await sql`update webhooks set turn = own.turn + 1, held_turn = own.turn + 1 from webhooks own
    where webhooks.tenant_id = ${twin} and own.tenant_id = ${tenantId} and own.id = webhooks.id`.execute(
    service().db,
  )
}
