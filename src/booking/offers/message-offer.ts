import type { Actor } from '../../contract/actor.ts'
import { readStudentRecipients } from '../../db/messages/message-facts.ts'
import { contactFields, queueMessages } from '../../db/messages/messages.ts'
import type { Transaction } from '../../db/schema/tables.ts'
import { afterQuiet } from '../../domain/message-times.ts'

type Offered = { readonly id: string; readonly expires_at: string; readonly student_ids: readonly string[] }

/** Queues the link of an offer for each student who agrees to messages, if the school sends offers. */
export async function messageOffer(
  db: Transaction,
  { tenant, now }: Actor,
  { id: offer_id, expires_at, student_ids }: Offered,
  urlFor: (studentId: string) => string,
): Promise<void> {
  const { messages, timezone } = tenant
  if (!messages.offer) return
  const students = await readStudentRecipients(db, tenant.id, student_ids)
  const agreeing = [...students.values()].filter(({ agrees }) => agrees)
  const made = agreeing.map(({ id, ...recipient }) => ({
    kind: 'offer' as const,
    student_id: id,
    params: { offer_id, url: urlFor(id) },
    ...contactFields(recipient),
    send_at: afterQuiet(now, messages.quiet, timezone),
    worth_until: new Date(expires_at),
  }))
  await queueMessages(db, tenant.id, now, made)
}
