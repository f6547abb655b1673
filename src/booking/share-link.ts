import { holdSession } from '../auth/hold-session.ts'
import { newLinkToken } from '../auth/link-token.ts'
import type { Actor } from '../contract/actor.ts'
import type { FeedDetail } from '../contract/link.ts'
import { notFound } from '../contract/problem.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import { inTransaction } from '../db/connection/transaction.ts'
import { endLink, type Holder, replaceLink } from '../db/links.ts'
import type { Transaction } from '../db/schema/tables.ts'
import { lockStudent } from '../db/students.ts'
import { lockInstructor } from './change-instructor.ts'

/** Creates a link and ends the earlier one. Returns the token, not shown again; `detail` is for feeds. Throws `not_found`. */
export async function shareLink(
  database: DatabasePool,
  actor: Actor,
  holder: Holder,
  detail: FeedDetail | null = null,
): Promise<string> {
  const { token, token_hash } = newLinkToken(actor.tenant.id)
  await inTransaction(database, async (db) => {
    await lockHolder(db, actor, holder)
    await holdSession(db, actor)
    await replaceLink(db, actor, holder, { token_hash, detail })
  })
  return token
}

/** Ends the link of the instructor or student. Throws `not_found` if there is no such person. */
export async function unshareLink(database: DatabasePool, actor: Actor, holder: Holder): Promise<void> {
  await inTransaction(database, async (db) => {
    await lockHolder(db, actor, holder)
    await holdSession(db, actor)
    await endLink(db, actor, holder)
  })
}

/** Locks the holder: if two users share at once, the second finds the link of the first. */
async function lockHolder(db: Transaction, actor: Actor, { kind, id }: Holder): Promise<void> {
  if (kind === 'student_link') {
    const student = await lockStudent(db, actor.tenant.id, id)
    if (!student || student.deleted) throw notFound()
    return
  }
  await lockInstructor(db, actor, id)
}
