import { describe, expect, it } from 'vitest'
import type { Change } from '../../src/contract/change.ts'
import { useOwnService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { aSchool } from '../support/factory.ts'
import type { Received } from '../support/receiver.ts'
import { HERE } from '../support/use-outbox.ts'
import { deliveriesOf, hook, hookOf, useWebhookDispatchers } from './dispatchers.ts'

const service = useOwnService({ webhookAllowedNetworks: HERE })
const { hire, receive } = useWebhookDispatchers(service)

const dataIn = ({ body }: Received): Change => JSON.parse(body).data
const idsIn = (messages: readonly Received[]) => messages.map((one) => dataIn(one).resource_id)

/** Starts a receiver that holds its first messages, each until it is released. */
async function receiveSlowly(held: number, status = 204) {
  const gates = Array.from({ length: held }, () => Promise.withResolvers<void>())
  let count = 0
  const receiver = await receive(async () => {
    const gate = gates[count]
    count += 1
    await gate?.promise
    return { status }
  })
  return { ...receiver, letGo: (message: number) => gates[message]?.resolve() }
}

describe('a webhook that is changed during a delivery', () => {
  it('sends the remaining messages only to its new address', async () => {
    const school = await aSchool(service())
    const [old, next] = [await receiveSlowly(1), await receive()]
    const made = await hook(school, old.url, { events: ['student.*'] })
    const students = [await school.student(), await school.student(), await school.student()]
    hire()
    await old.receives(1)
    must(200, await school.client.patch(`/webhooks/${made.id}`, { url: next.url }))
    old.letGo(0)
    await expect.poll(() => idsIn(next.received)).toEqual(students.slice(1).map(({ id }) => id))
    expect(old.received).toHaveLength(1)
  })

  it('sends nothing more if it is disabled', async () => {
    const school = await aSchool(service())
    const receiver = await receiveSlowly(1)
    const made = await hook(school, receiver.url, { events: ['student.*'] })
    for (const _ of '123') await school.student()
    hire()
    await receiver.receives(1)
    must(200, await school.client.patch(`/webhooks/${made.id}`, { disabled: true }))
    // The next webhook of the school is served after this one.
    const next = await receive()
    await hook(school, next.url, { events: ['webhook.*'] })
    receiver.letGo(0)
    await next.receives(1)
    expect(receiver.received).toHaveLength(1)
  })

  it('starts a replay after that delivery, in order', async () => {
    const school = await aSchool(service())
    const receiver = await receiveSlowly(1)
    const { cursor } = must(200, await school.client.get('/changes/since'))
    const made = await hook(school, receiver.url, { events: ['student.*'] })
    const { id } = await school.student()
    for (const notes of ['1', '2']) await school.client.patch(`/students/${id}`, { notes })
    hire()
    hire()
    await receiver.receives(1)
    must(200, await school.client.post(`/webhooks/${made.id}/replay`, { since: cursor }))
    // The other process serves the school's next webhook, which is due later.
    const next = await receive()
    await hook(school, next.url, { events: ['webhook.*'] })
    await next.receives(1)
    expect(receiver.received).toHaveLength(1)
    receiver.letGo(0)
    const messages = await receiver.receives(4)
    expect(messages.map((one) => dataIn(one).after?.version)).toEqual([1, 1, 2, 3])
  })

  it('stays enabled if its old address returns 410', async () => {
    const school = await aSchool(service())
    const [old, next] = [await receiveSlowly(1, 410), await receive()]
    const made = await hook(school, old.url, { events: ['student.*'] })
    const { id } = await school.student()
    hire()
    await old.receives(1)
    must(200, await school.client.patch(`/webhooks/${made.id}`, { url: next.url }))
    old.letGo(0)
    await expect.poll(() => idsIn(next.received)).toContain(id)
    expect(await hookOf(school, made)).toMatchObject({ disabled: false, disabled_reason: null })
  })
})

it('unsubscribing a webhook from events deletes their waiting deliveries', async () => {
  const school = await aSchool(service())
  const receiver = await receive(() => ({ status: 500 }))
  const made = await hook(school, receiver.url, { events: ['student.created', 'instructor.*'] })
  await school.student()
  const { id } = await school.instructor()
  const webhookDispatcher = hire()
  await expect.poll(() => deliveriesOf(school, made)).toHaveLength(2)
  await webhookDispatcher.stop()
  must(
    200,
    await school.client.patch(`/webhooks/${made.id}`, { events: ['instructor.*', 'student.deleted'] }),
  )
  expect(await deliveriesOf(school, made)).toMatchObject([{ resource_id: id, state: 'waiting' }])
})
