import type { Actor } from '../../contract/actor.ts'
import type { Message } from '../../contract/message.ts'
import { notFound, Problem } from '../../contract/problem.ts'
import { findMessage } from '../../db/messages/messages.ts'
import { markTold, requeueMessage } from '../../db/messages/undelivered-messages.ts'
import type { Database } from '../../db/schema/tables.ts'

/** Queues a failed or dropped message once more, to be decided on anew. Throws `not_found` and `not_resendable`. */
export async function resendMessage(db: Database, { tenant, now }: Actor, id: string): Promise<Message> {
  const isQueued = await requeueMessage(db, tenant.id, { id, now })
  const message = await findMessage(db, tenant.id, id)
  if (!message) throw notFound()
  if (!isQueued) throw new Problem('not_resendable')
  return message
}

/**
 * Marks a message that reached nobody as told by a person of the school, such as by telephone. Others stay as they are. Throws
 * `not_found`.
 */
export async function tellMessage(db: Database, { tenant, now }: Actor, id: string): Promise<Message> {
  await markTold(db, tenant.id, { id, now })
  const message = await findMessage(db, tenant.id, id)
  if (!message) throw notFound()
  return message
}
