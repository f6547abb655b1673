import { sql } from 'kysely'
import { pino } from 'pino'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import type { Change } from '../../src/contract/change.ts'
import { inTransaction } from '../../src/db/connection/transaction.ts'
import { recordChanges } from '../../src/db/log/changes.ts'
import { useOwnService } from '../support/app.ts'
import { asOwner } from '../support/as-owner.ts'
import { erase } from '../support/erasure.ts'
import { anActor, aSchool, type Row } from '../support/factory.ts'
import { must } from '../support/passkeys.ts'
import type { Received } from '../support/receiver.ts'
import { deliveriesOf, HERE, hook, hookOf, useCouriers } from './couriers.ts'

const service = useOwnService({ webhookAllowedNetworks: HERE })
const { hire, receive } = useCouriers(service)

const dataIn = ({ body }: Received): Change => JSON.parse(body).data
const idsIn = (messages: readonly Received[]) => messages.map((one) => dataIn(one).resource_id)

describe('a change', () => {
  it('is sent to a webhook, signed as Standard Webhooks has it, with the content of the log', async () => {
    const school = await aSchool(service())
    const receiver = await receive()
    const { secret } = await hook(school, receiver.url, { events: ['student.*'] })
    const { id } = await school.student({ first_name: 'Lena' })
    await school.client.patch(`/students/${id}`, { first_name: 'Léna' })
    hire()
    const messages = await receiver.receives(2)
    const changes = must(200, await school.client.get(`/changes?resource_id=${id}`)).toReversed()
    expect(messages.map(dataIn)).toEqual(changes)
    for (const [at, { headers, body, path }] of messages.entries()) {
      expect(path).toBe('/hook')
      const change = changes[at] as Change
      expect(headers).toMatchObject({ 'webhook-id': change.id, 'content-type': 'application/json' })
      const verified = new Webhook(secret).verify(body, headers as Record<string, string>)
      expect(verified).toEqual({ type: `student.${change.action}`, timestamp: change.at, data: change })
      expect(() => new Webhook(secret).verify(`${body} `, headers as Record<string, string>)).toThrow()
    }
  })

  it('of another kind is not sent, nor one from before, nor one of another school', async () => {
    const [school, other] = [await aSchool(service()), await aSchool(service())]
    await school.student()
    const receiver = await receive()
    await hook(school, receiver.url, { events: ['student.changed', 'instructor.*'] })
    await Promise.all([school.student(), other.instructor()])
    const { id } = await school.instructor()
    hire()
    expect(idsIn(await receiver.receives(1))).toEqual([id])
  })

  it('that is committed late is sent, although later ones have been', async () => {
    const school = await aSchool(service())
    const receiver = await receive()
    await hook(school, receiver.url, { events: ['student.*'] })
    hire()
    const late = crypto.randomUUID()
    const actor = await anActor(service(), school.tenantId)
    const entry = {
      resource: 'student',
      resource_id: late,
      action: 'changed',
      before: {},
      after: {},
    } as const
    if (service().kind === 'embedded') {
      await inTransaction(service().db, (db) => recordChanges(db, actor, [entry]))
      expect(idsIn(await receiver.receives(1))).toEqual([late])
      return
    }
    const early = await inTransaction(service().db, async (db) => {
      await recordChanges(db, actor, [entry])
      const { id } = await school.student()
      expect(idsIn(await receiver.receives(1))).toEqual([id])
      return id
    })
    expect(idsIn(await receiver.receives(2))).toEqual([early, late])
  })

  it('is sent once, whoever of two processes sends it, and in order for each resource', {
    tags: ['embedded'],
  }, async () => {
    const school = await aSchool(service())
    const receiver = await receive()
    await hook(school, receiver.url, { events: ['student.*'] })
    const students = [await school.student(), await school.student(), await school.student()]
    for (const notes of ['1', '2', '3', '4'])
      for (const { id } of students) await school.client.patch(`/students/${id}`, { notes })
    hire()
    hire()
    const messages = await receiver.receives(15)
    expect(new Set(messages.map(({ headers }) => headers['webhook-id'])).size).toBe(15)
    for (const { id } of students) {
      const versions = messages.map(dataIn).filter(({ resource_id }) => resource_id === id)
      expect(versions.map(({ after }) => after?.version)).toEqual([1, 2, 3, 4, 5])
    }
  })

  it('is sent as the log has it at that time: without an erased student', async () => {
    const school = await aSchool(service())
    const receiver = await receive()
    await hook(school, receiver.url, { events: ['student.created'] })
    const { id } = await school.student({ first_name: 'Kanarienvogel' })
    expect((await school.client.delete(`/students/${id}`)).status).toBe(204)
    expect(await erase(service(), school.tenantId, id)).toBe('erased')
    hire()
    const [message] = await receiver.receives(1)
    expect(message?.body).not.toContain('Kanarienvogel')
    expect(JSON.parse(message?.body ?? '').data).toMatchObject({ resource_id: id, before: null, after: null })
  })

  it('from long ago is not sent because an erasure has touched it', async () => {
    const school = await aSchool(service())
    const { id } = await school.student()
    await asOwner(service(), (owner) =>
      owner
        .updateTable('changes')
        .set({ at: sql<Date>`at - interval '1 day'` })
        .where('tenant_id', '=', school.tenantId)
        .where('resource_id', '=', id)
        .execute(),
    )
    const receiver = await receive()
    await hook(school, receiver.url, { events: ['student.*'] })
    expect((await school.client.delete(`/students/${id}`)).status).toBe(204)
    expect(await erase(service(), school.tenantId, id)).toBe('erased')
    const next = await school.student()
    hire()
    await expect.poll(() => idsIn(receiver.received)).toContain(next.id)
    const types = receiver.received.map(({ body }) => JSON.parse(body).type)
    expect(types).toEqual(['student.deleted', 'student.erased', 'student.created'])
  })
})

describe('a delivery that fails', () => {
  it('is tried again under the same id, before later changes of the resource, and holds up no other', async () => {
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

  it('is given up after long if others arrive, which keep the webhook enabled', async () => {
    const { db } = service()
    const school = await aSchool(service())
    const receiver = await receive((message) =>
      dataIn(message).resource === 'instructor' ? { status: 500 } : undefined,
    )
    const made = await hook(school, receiver.url, { events: ['student.*', 'instructor.*'] })
    await school.instructor()
    const courier = hire()
    await expect.poll(() => deliveriesOf(school, made)).toMatchObject([{ status: 500 }])
    await courier.stop()
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
    expect(await hookOf(school, made)).toMatchObject({ disabled: false })
  })

  it('disables the webhook after long, which is recorded, and once enabled it goes on where it stopped', async () => {
    const school = await aSchool(service())
    let status = 503
    const receiver = await receive(() => ({ status }))
    const made = await hook(school, receiver.url, { events: ['student.*'] })
    const { id } = await school.student()
    hire({ pace: { patience: 1 } })
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

  it('with 410 disables the webhook at once', async () => {
    const school = await aSchool(service())
    const receiver = await receive(() => ({ status: 410 }))
    const made = await hook(school, receiver.url)
    hire()
    await expect.poll(() => hookOf(school, made)).toMatchObject({ disabled: true, disabled_reason: 'gone' })
    expect(receiver.received).toHaveLength(1)
  })

  it('says why: a redirect, which is not followed, no answer in time, or nobody there', async () => {
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
    hire({ pace: { send: 100 } })
    const lastOf = async (made: Row) => (await deliveriesOf(school, made))[0]
    await expect.poll(() => lastOf(moved)).toMatchObject({ status: 307, error: 'redirect', state: 'waiting' })
    await expect.poll(() => lastOf(slow)).toMatchObject({ status: null, error: 'timeout' })
    await expect.poll(() => lastOf(away)).toMatchObject({ status: null, error: 'ECONNREFUSED' })
    expect(elsewhere.received).toEqual([])
  })

  it('and its log have neither the address nor the secret', async () => {
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
