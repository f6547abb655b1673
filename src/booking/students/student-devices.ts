import type { Actor } from '../../contract/actor.ts'
import { notFound } from '../../contract/problem.ts'
import type { DatabasePool } from '../../db/connection/pool.ts'
import { inTransaction } from '../../db/connection/transaction.ts'
import { recordChanges } from '../../db/log/changes.ts'
import {
  deletePushSubscriptions,
  listPushSubscriptions,
  type PushSubscription,
  putPushSubscription,
} from '../../db/messages/push-subscriptions.ts'
import { readdressMessagesOf } from '../../db/messages/waiting-messages.ts'
import type { Transaction } from '../../db/schema/tables.ts'
import { findLink } from '../../db/students/links.ts'
import { lockStudent } from '../../db/students/students.ts'

type Through = { readonly id: string; readonly student_id: string }

/** Adds a device that gets the student's messages. Throws `not_found` if the link has ended. */
export function addDevice(
  database: DatabasePool,
  actor: Actor,
  through: Through,
  device: PushSubscription,
): Promise<void> {
  return changeDevices(database, actor, through, (db) =>
    putPushSubscription(db, actor.tenant.id, through.student_id, device),
  )
}

/** Removes a device of the student. Throws `not_found` if the link has ended. */
export function removeDevice(
  database: DatabasePool,
  actor: Actor,
  through: Through,
  endpoint: string,
): Promise<void> {
  return changeDevices(database, actor, through, (db) =>
    deletePushSubscriptions(db, actor.tenant.id, through.student_id, [endpoint]),
  )
}

/** Changes the devices of a student. If their number changes, readdresses waiting messages and logs it. */
async function changeDevices(
  database: DatabasePool,
  actor: Actor,
  { id, student_id }: Through,
  change: (db: Transaction) => Promise<void>,
): Promise<void> {
  const { tenant } = actor
  const count = async (db: Transaction) => (await listPushSubscriptions(db, tenant.id, student_id)).length
  await inTransaction(database, async (db) => {
    await lockStudent(db, tenant.id, student_id)
    const link = await findLink(db, tenant.id, { kind: 'student_link', id: student_id })
    if (link?.id !== id) throw notFound()
    const devices = await count(db)
    await change(db)
    const after = await count(db)
    if (after === devices) return
    await readdressMessagesOf(db, tenant.id, student_id)
    await recordChanges(db, actor, [
      {
        resource: 'student_link',
        resource_id: id,
        action: 'changed',
        before: { student_id, devices },
        after: { student_id, devices: after },
      },
    ])
  })
}
