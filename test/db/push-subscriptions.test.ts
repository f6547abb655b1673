import { expect, it } from 'vitest'
import { inTransaction } from '../../src/db/connection/transaction.ts'
import { readStudentRecipients } from '../../src/db/messages/message-facts.ts'
import {
  deletePushSubscriptions,
  deletePushSubscriptionsOf,
  listPushSubscriptions,
  MAX_DEVICES,
  putPushSubscription,
} from '../../src/db/messages/push-subscriptions.ts'
import { aLife, WORD } from '../support/a-life.ts'
import { useService } from '../support/app.ts'
import { eraseIf } from '../support/erasure.ts'
import { everythingOf, plantTwin, type Side } from '../support/twin.ts'

const service = useService()
const SIDES: readonly Side[] = ['00000000', 'ffffffff']

const deviceAt = (place: number | string) => ({
  endpoint: `https://push.example/${place}`,
  p256dh: `key ${place}`,
  auth: 'secret',
})

/** Creates a school with one student who has a device, and one who has none. */
async function aStudentWithDevice() {
  const { school, ids } = await aLife(service())
  const { client, tenantId } = school
  const put = (place: number | string, tenant = tenantId, student = ids.student) =>
    inTransaction(service().db, (db) => putPushSubscription(db, tenant, student, deviceAt(place)))
  await put('first')
  return { client, tenantId, ids, put }
}

it('reading the devices of a student excludes those of twin schools', async () => {
  const { tenantId, ids, put } = await aStudentWithDevice()
  const { db } = service()
  for (const side of SIDES) {
    const twin = await plantTwin(service(), tenantId, WORD, side)
    await put(`of ${side}`, twin)
    await put(`of ${side}`, twin, ids.moving)
  }
  expect(await listPushSubscriptions(db, tenantId, ids.student)).toEqual([deviceAt('first')])
  const recipients = await readStudentRecipients(db, tenantId, [ids.student, ids.moving])
  expect([recipients.get(ids.student)?.channel, recipients.get(ids.moving)?.channel]).toEqual([
    'push',
    'mail',
  ])
})

it('writing the devices of a student does not change those of twin schools', async () => {
  const { tenantId, ids, put } = await aStudentWithDevice()
  const { db } = service()
  const twins = await Promise.all(SIDES.map((side) => plantTwin(service(), tenantId, WORD, side)))
  for (const twin of twins) await put('older', twin)
  for (let place = 1; place < MAX_DEVICES; place += 1) await put(place)
  for (const twin of twins) await put('newer', twin)
  const everything = () => Promise.all(twins.map((twin) => everythingOf(service(), twin)))
  const before = await everything()
  await put(MAX_DEVICES)
  const devices = await listPushSubscriptions(db, tenantId, ids.student)
  expect(devices).toEqual([5, 4, 3, 2, 1].map(deviceAt))
  await deletePushSubscriptions(db, tenantId, ids.student, [deviceAt(1).endpoint, deviceAt('first').endpoint])
  expect(await listPushSubscriptions(db, tenantId, ids.student)).toHaveLength(MAX_DEVICES - 1)
  const wasThere = await inTransaction(db, (within) =>
    deletePushSubscriptionsOf(within, tenantId, ids.student),
  )
  expect([wasThere, await listPushSubscriptions(db, tenantId, ids.student)]).toEqual([true, []])
  expect(await everything()).toEqual(before)
})

it('erasing a student deletes their devices', async () => {
  const { client, tenantId, ids } = await aStudentWithDevice()
  await client.delete(`/students/${ids.student}`)
  expect((await eraseIf(service(), tenantId, ids.student, true)).outcome).toBe('erased')
  expect(await listPushSubscriptions(service().db, tenantId, ids.student)).toEqual([])
})
