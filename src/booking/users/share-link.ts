import type { LinkSeals } from '../../auth/link-seals.ts'
import { newLinkToken } from '../../auth/link-token.ts'
import { lockSession } from '../../auth/lock-session.ts'
import type { Actor } from '../../contract/actor.ts'
import type { FeedDetail } from '../../contract/link.ts'
import { notFound } from '../../contract/problem.ts'
import type { DatabasePool } from '../../db/connection/pool.ts'
import { inTransaction } from '../../db/connection/transaction.ts'
import type { IdempotencyKey } from '../../db/idempotency-keys.ts'
import { contactFields, queueMessages } from '../../db/messages/messages.ts'
import type { Transaction } from '../../db/schema/tables.ts'
import { endLink, type LinkHolder, replaceLink } from '../../db/students/links.ts'
import { lockStudent, type StoredStudent } from '../../db/students/students.ts'
import { contactChannelOf } from '../../domain/contact-channel.ts'
import { afterQuiet } from '../../domain/message-times.ts'
import { commitOnce } from '../idempotent.ts'
import { lockInstructor } from '../school/change-instructor.ts'
import { requireMailAllowed } from './hand-out-link.ts'

type Sharing = {
  readonly detail?: FeedDetail | null
  readonly urlOf: (token: string) => string
  readonly seals: LinkSeals
  readonly key?: IdempotencyKey | undefined
}

export type SharedLink = { readonly holder_id: string; readonly sealed_url: string }

/**
 * Creates a link and ends the earlier one. Returns its sealed address, which only a retry returns again. Throws `not_found` and
 * `too_many_mails`. Fails if the key is taken.
 */
export async function shareLink(
  database: DatabasePool,
  actor: Actor,
  holder: LinkHolder,
  { detail = null, urlOf, seals, key }: Sharing,
): Promise<SharedLink> {
  const { token, token_hash } = newLinkToken(actor.tenant.id)
  const url = urlOf(token)
  const shared = { holder_id: holder.id, sealed_url: seals.seal(holder.id, url) }
  return inTransaction(database, async (db, commitWith) => {
    const student = await lockHolder(db, actor, holder)
    await lockSession(db, actor)
    await replaceLink(db, actor, holder, { token_hash, detail })
    if (student) await messageLink(db, actor, student, url)
    return commitOnce({ db, actor, commitWith }, key, Promise.resolve(shared))
  })
}

export async function unshareLink(database: DatabasePool, actor: Actor, holder: LinkHolder): Promise<void> {
  await inTransaction(database, async (db) => {
    await lockHolder(db, actor, holder)
    await lockSession(db, actor)
    await endLink(db, actor, holder)
  })
}

async function lockHolder(
  db: Transaction,
  actor: Actor,
  { kind, id }: LinkHolder,
): Promise<StoredStudent | undefined> {
  if (kind === 'student_link') {
    const student = await lockStudent(db, actor.tenant.id, id)
    if (!student || student.deleted) throw notFound()
    return student
  }
  await lockInstructor(db, actor, id)
  return undefined
}

/** Gives a student a link for messages: nobody gets its first secret. Does nothing if the student is deleted. */
export async function makePage(db: Transaction, actor: Actor, studentId: string): Promise<void> {
  if (!(await lockStudent(db, actor.tenant.id, studentId))) return
  const { token_hash } = newLinkToken(actor.tenant.id)
  await replaceLink(db, actor, { kind: 'student_link', id: studentId }, { token_hash, detail: null })
}

const LINK_DAYS = 7

/** Queues a message with the link if the school sends links and the student agrees to it. Throws `too_many_mails`. */
async function messageLink(
  db: Transaction,
  { kind, tenant, now }: Actor,
  { id, messages_consent, archived_at, ...student }: StoredStudent,
  url: string,
): Promise<void> {
  if (!tenant.messages.link || !messages_consent || archived_at) return
  const contact = contactChannelOf(student, tenant.country)
  if (kind === 'user' && contact.address !== null) await requireMailAllowed(db, tenant.id, contact.address)
  const send_at = afterQuiet(now, tenant.messages.quiet, tenant.timezone)
  const worth_until = new Date(now.getTime() + LINK_DAYS * 86_400_000)
  await queueMessages(db, tenant.id, now, [
    {
      kind: 'link',
      student_id: id,
      params: { url },
      ...contactFields(contact),
      send_at,
      worth_until,
    },
  ])
}
