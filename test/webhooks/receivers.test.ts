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

const idsIn = (messages: readonly Received[]) =>
  messages.map(({ body }) => (JSON.parse(body).data as Change).resource_id)

describe('a receiver', () => {
  it('that responds slowly delays neither requests nor other receivers nor other schools', {
    tags: ['embedded'],
  }, async () => {
    const [loud, quiet] = [await aSchool(service()), await aSchool(service())]
    const mayGoOn = Promise.withResolvers<undefined>()
    const slow = await receive(() => mayGoOn.promise)
    for (const _ of '123') await hook(loud, slow.url)
    hire()
    await slow.receives(1)
    const receiver = await receive()
    await hook(quiet, receiver.url, { events: ['student.*'] })
    const { id } = await quiet.student()
    expect(idsIn(await receiver.receives(1))).toEqual([id])
    const other = await receive()
    await hook(loud, other.url, { events: ['student.*'] })
    const { id: own } = await loud.student()
    expect(idsIn(await other.receives(1))).toEqual([own])
    expect(slow.received).toHaveLength(1)
    mayGoOn.resolve(undefined)
    await slow.receives(3)
  })

  it('that responds with 8 MiB does not fail the delivery', async () => {
    const school = await aSchool(service())
    const receiver = await receive(() => ({ status: 200, body: 'x'.repeat(8 * 1024 * 1024) }))
    const made = await hook(school, receiver.url, { events: ['webhook.*'] })
    hire()
    await expect
      .poll(async () => (await deliveriesOf(school, made))[0])
      .toMatchObject({ state: 'delivered', status: 200 })
  })

  it('gets a message again whose delivery was interrupted by a stop', async () => {
    const school = await aSchool(service())
    let isSilent = true
    const receiver = await receive(() => (isSilent ? new Promise(() => undefined) : undefined))
    const made = await hook(school, receiver.url, { events: ['webhook.*'] })
    const webhookDispatcher = hire()
    await receiver.receives(1)
    await webhookDispatcher.stop()
    expect(await deliveriesOf(school, made)).toMatchObject([{ state: 'waiting', attempts: 0 }])
    isSilent = false
    hire()
    await receiver.receives(2)
    await expect.poll(() => deliveriesOf(school, made)).toMatchObject([{ state: 'delivered', attempts: 1 }])
  })
})

describe('a replay', () => {
  it('sends all changes after a cursor again with their original ids', async () => {
    const school = await aSchool(service())
    const receiver = await receive()
    const made = await hook(school, receiver.url, { events: ['student.*'] })
    const before = await school.student()
    const { cursor } = must(200, await school.client.get('/changes/since'))
    const [first, second] = [await school.student(), await school.student()]
    hire()
    expect(idsIn(await receiver.receives(3))).toEqual([before.id, first.id, second.id])
    const again = must(200, await school.client.post(`/webhooks/${made.id}/replay`, { since: cursor }))
    expect(again.id).toBe(made.id)
    const messages = await receiver.receives(5)
    expect(idsIn(messages.slice(3))).toEqual([first.id, second.id])
    const ids = messages.map(({ headers }) => headers['webhook-id'])
    expect(ids.slice(3)).toEqual(ids.slice(1, 3))
  })

  it('includes changes from before the webhook was created', async () => {
    const school = await aSchool(service())
    const { cursor } = must(200, await school.client.get('/changes/since'))
    const { id } = await school.student()
    const receiver = await receive()
    const made = await hook(school, receiver.url, { events: ['student.*'] })
    must(200, await school.client.post(`/webhooks/${made.id}/replay`, { since: cursor }))
    hire()
    expect(idsIn(await receiver.receives(1))).toEqual([id])
  })

  it('from a cursor beyond the last change sent skips nothing', async () => {
    const school = await aSchool(service())
    const receiver = await receive()
    const made = await hook(school, receiver.url, { events: ['student.*'], disabled: true })
    const { id } = await school.student()
    const { cursor } = must(200, await school.client.get('/changes/since'))
    const path = `/webhooks/${made.id}`
    must(200, await school.client.patch(path, { disabled: false }))
    must(200, await school.client.post(`${path}/replay`, { since: cursor }))
    hire()
    await expect.poll(() => idsIn(receiver.received)).toEqual([id])
  })
})

it('a webhook whose secret was sealed with another JWT_SECRET is disabled with secret_lost', async () => {
  const school = await aSchool(service())
  const receiver = await receive()
  const made = await hook(school, receiver.url)
  hire({ jwtSecret: 'another secret of more than two hundred and fifty-six bits' })
  await expect
    .poll(() => hookOf(school, made))
    .toMatchObject({ disabled: true, disabled_reason: 'secret_lost' })
  expect(receiver.received).toEqual([])
})

it('an idle webhook is claimed without updating its position in the log', async () => {
  const { db } = service()
  const school = await aSchool(service())
  const receiver = await receive()
  const made = await hook(school, receiver.url, { events: ['student.*'] })
  const row = () =>
    db.selectFrom('webhooks').select(['turn', 'position']).where('id', '=', made.id).executeTakeFirstOrThrow()
  hire()
  // The first turn passes the webhook's own creation.
  await expect.poll(async () => (await row()).turn).toBeGreaterThan(1)
  const before = await row()
  await expect.poll(async () => (await row()).turn).toBeGreaterThan(before.turn + 2)
  expect((await row()).position).toEqual(before.position)
  const { id } = await school.student()
  expect(idsIn(await receiver.receives(1))).toEqual([id])
})
