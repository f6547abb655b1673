import { sql } from 'kysely'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import type { Change } from '../../src/contract/change.ts'
import { useOwnService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { aSchool, type Row } from '../support/factory.ts'
import type { Received } from '../support/receiver.ts'
import { HERE } from '../support/use-outbox.ts'
import { deliveriesOf, hook, hookOf, useWebhookDispatchers } from './dispatchers.ts'

const service = useOwnService({ webhookAllowedNetworks: HERE })
const { hire, receive } = useWebhookDispatchers(service)

const dataIn = ({ body }: Received): Change => JSON.parse(body).data
const idsIn = (messages: readonly Received[]) => messages.map((one) => dataIn(one).resource_id)

describe('a delivery that fails', () => {
  it('is retried with the same id before later changes of its resource, without blocking others', async () => {
    const school = await aSchool(service())
    let isDown = true
    const stuck = await school.student()
    const receiver = await receive((message) => {
      if (dataIn(message).resource_id !== stuck.id || !isDown) return undefined
      return { status: 500 }
    })
    const made = await hook(school, receiver.url, { events: ['student.*'] })
    await school.client.patch(`/students/${stuck.id}`, { notes: '1' })
    await school.client.patch(`/students/${stuck.id}`, { notes: '2' })
    const { id } = await school.student()
    hire()
    await expect.poll(() => idsIn(receiver.received)).toContain(id)
    const waiting = await deliveriesOf(school, made)
    expect(waiting.filter(({ resource_id }) => resource_id === stuck.id)).toMatchObject([
      { state: 'waiting', status: 500, finished_at: null },
      { state: 'waiting', status: null, attempts: 0 },
    ])
    isDown = false
    const arrived = () => receiver.received.map(dataIn).map(({ after }) => after?.notes)
    await expect.poll(arrived).toContain('2')
    const tries = receiver.received.filter((one) => dataIn(one).after?.notes === '1')
    expect(tries.length).toBeGreaterThan(1)
    expect(new Set(tries.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(arrived().indexOf('2')).toBeGreaterThan(arrived().lastIndexOf('1'))
    await expect
      .poll(async () => (await deliveriesOf(school, made)).map(({ state }) => state))
      .toEqual(['delivered', 'delivered', 'delivered'])
  })

  it('is given up eventually, while other deliveries keep the webhook enabled', async () => {
    const { db } = service()
    const school = await aSchool(service())
    const receiver = await receive((message) =>
      dataIn(message).resource === 'instructor' ? { status: 500 } : undefined,
    )
    const made = await hook(school, receiver.url, { events: ['student.*', 'instructor.*'] })
    await school.instructor()
    const webhookDispatcher = hire()
    await expect.poll(() => deliveriesOf(school, made)).toMatchObject([{ status: 500 }])
    await webhookDispatcher.stop()
    const failing_since = new Date(Date.now() - 86_400_000)
    await db.updateTable('webhooks').set({ failing_since }).where('id', '=', made.id).execute()
    const first = await school.student()
    hire()
    await expect.poll(() => idsIn(receiver.received)).toContain(first.id)
    const second = await school.student()
    await expect.poll(() => idsIn(receiver.received)).toContain(second.id)
    await db
      .updateTable('webhook_deliveries')
      .set({ failing_since })
      .where('webhook_id', '=', made.id)
      .where('state', '=', 'waiting')
      .execute()
    await expect
      .poll(async () => (await deliveriesOf(school, made)).map(({ state }) => state))
      .toEqual(['failed', 'delivered', 'delivered'])
    const state = () =>
      db.selectFrom('webhooks').select(['failures', 'failing_since']).where('id', '=', made.id).execute()
    await expect.poll(state).toEqual([{ failures: 0, failing_since: null }])
    expect(await hookOf(school, made)).toMatchObject({ disabled: false })
  })

  it('does not block other resources, even with 700 failing ones', async () => {
    const { db } = service()
    const school = await aSchool(service())
    const receiver = await receive()
    const made = await hook(school, receiver.url, { events: ['student.*', 'instructor.*'] })
    await sql`insert into webhook_deliveries
        (tenant_id, webhook_id, id, changed_at, type, resource_id, round, attempts, next_attempt_at)
      select ${school.tenantId}, ${made.id}, gen_random_uuid(), now(), 'instructor.created', resource_id, 1, 1 - n % 2,
        now() + interval '1 day'
      from (select gen_random_uuid() as resource_id from generate_series(1, 700)) resources, generate_series(0, 1) n
      order by n`.execute(db)
    const { id } = await school.student()
    hire()
    expect(idsIn(await receiver.receives(1))).toEqual([id])
  })

  it('eventually disables the webhook, which resumes where it stopped once it is enabled', async () => {
    const school = await aSchool(service())
    let status = 503
    const receiver = await receive(() => ({ status }))
    const made = await hook(school, receiver.url, { events: ['student.*'] })
    const { id } = await school.student()
    hire({ intervals: { patience: 1 } })
    await expect
      .poll(() => hookOf(school, made))
      .toMatchObject({ disabled: true, disabled_reason: 'failing' })
    const [change] = must(200, await school.client.get(`/changes?resource=webhook`))
    expect(change).toMatchObject({ actor: { kind: 'system' }, after: { disabled_reason: 'failing' } })
    const later = await school.student()
    status = 204
    const path = `/webhooks/${made.id}`
    const enabled = must(200, await school.client.patch(path, { disabled: false }))
    expect(enabled).toMatchObject({ disabled: false, disabled_reason: null })
    await expect
      .poll(async () => (await deliveriesOf(school, made)).map((one) => [one.resource_id, one.state]))
      .toEqual([
        [id, 'delivered'],
        [later.id, 'delivered'],
      ])
  })

  it('with 410 disables the webhook immediately', async () => {
    const school = await aSchool(service())
    const receiver = await receive(() => ({ status: 410 }))
    const made = await hook(school, receiver.url)
    hire()
    await expect.poll(() => hookOf(school, made)).toMatchObject({ disabled: true, disabled_reason: 'gone' })
    expect(receiver.received).toHaveLength(1)
  })

  it('records a redirect, a timeout or a refused connection as its error', async () => {
    const school = await aSchool(service())
    const elsewhere = await receive()
    const redirecting = await receive(() => ({ status: 307, headers: { location: elsewhere.url } }))
    const silent = await receive(() => new Promise(() => undefined))
    const closed = await receive()
    await closed.close()
    const [moved, slow, away] = [
      await hook(school, redirecting.url),
      await hook(school, silent.url),
      await hook(school, closed.url),
    ]
    hire({ intervals: { send: 1_000 } })
    const lastOf = async (made: Row) => (await deliveriesOf(school, made))[0]
    await expect.poll(() => lastOf(moved)).toMatchObject({ status: 307, error: 'redirect', state: 'waiting' })
    await expect.poll(() => lastOf(slow)).toMatchObject({ status: null, error: 'timeout' })
    await expect.poll(() => lastOf(away)).toMatchObject({ status: null, error: 'ECONNREFUSED' })
    expect(elsewhere.received).toEqual([])
  })

  it('is logged without the address or the secret', async () => {
    const lines: string[] = []
    const log = pino({ level: 'trace' }, { write: (line) => void lines.push(line) })
    const school = await aSchool(service())
    const receiver = await receive(() => ({ status: 410 }))
    const made = await hook(school, `${receiver.url}/kanarienvogel`)
    hire({ log })
    await expect.poll(() => lines.join()).toContain('webhook_disabled')
    expect(lines.join()).toContain('webhook_failed')
    expect(lines.join()).not.toMatch(/kanarienvogel|whsec|127\.0\.0\.1/)
    expect(lines.join()).not.toContain(made.secret)
  })
})
