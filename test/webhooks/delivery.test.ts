import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import type { Change } from '../../src/contract/change.ts'
import { inTransaction } from '../../src/db/connection/transaction.ts'
import { recordChanges } from '../../src/db/log/changes.ts'
import { useOwnService } from '../support/app.ts'
import { asOwner } from '../support/as-owner.ts'
import { must } from '../support/client.ts'
import { erase } from '../support/erasure.ts'
import { anActor, aSchool } from '../support/factory.ts'
import type { Received } from '../support/receiver.ts'
import { HERE } from '../support/use-outbox.ts'
import { hook, useWebhookDispatchers } from './dispatchers.ts'

const service = useOwnService({ webhookAllowedNetworks: HERE })
const { hire, receive } = useWebhookDispatchers(service)

const dataIn = ({ body }: Received): Change => JSON.parse(body).data
const idsIn = (messages: readonly Received[]) => messages.map((one) => dataIn(one).resource_id)

describe('a change', () => {
  it('is sent with its log entry, signed according to Standard Webhooks', async () => {
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

  it('is not sent if it has another type, belongs to another school or is older than the webhook', async () => {
    const [school, other] = [await aSchool(service()), await aSchool(service())]
    await school.student()
    const receiver = await receive()
    await hook(school, receiver.url, { events: ['student.changed', 'instructor.*'] })
    await Promise.all([school.student(), other.instructor()])
    const { id } = await school.instructor()
    hire()
    expect(idsIn(await receiver.receives(1))).toEqual([id])
  })

  it('is sent when it is committed late, even after newer changes', async () => {
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

  it('is sent once by two dispatchers, in order for each resource', {
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

  it('is sent without the data of a student who has been erased since', async () => {
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

  it('is not sent if it is older than the webhook and updated by an erasure', async () => {
    const school = await aSchool(service())
    const { id } = await school.student()
    await asOwner(service(), (owner) =>
      owner
        .updateTable('changes')
        .set({ at: new Date(Date.now() - 86_400_000) })
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
