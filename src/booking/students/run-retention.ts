import { lockSession, requireSession } from '../../auth/lock-session.ts'
import type { Actor } from '../../contract/actor.ts'
import { notFound, Problem } from '../../contract/problem.ts'
import type { NewRetentionRun, RetentionRun, SkipReason } from '../../contract/retention.ts'
import type { DatabasePool } from '../../db/connection/pool.ts'
import { inTransaction } from '../../db/connection/transaction.ts'
import type { IdempotencyKey } from '../../db/idempotency-keys.ts'
import { countRowsOf, type RetainedCounts } from '../../db/students/retention.ts'
import {
  findUnfinishedRun,
  finishRun,
  insertRun,
  recordOutcome,
  type StoredRun,
} from '../../db/students/retention-runs.ts'
import { localToday } from '../../domain/time-zone.ts'
import { commitOnce } from '../idempotent.ts'
import { type ErasureResult, eraseStudent } from './erase-student.ts'
import { previewRetention } from './retention.ts'

type Bounds = {
  readonly key?: IdempotencyKey | undefined
  /** Whether there is time for another student. */
  readonly mayContinue?: () => boolean
}

/**
 * Erases the students of a preview, each in a transaction of its own, and continues an unfinished run of the same preview.
 * Needs the database role that owns the tables. Throws `preview_outdated`, and `not_found` for students who are not in it.
 */
export async function runRetention(
  database: DatabasePool,
  actor: Actor,
  given: NewRetentionRun,
  { key, mayContinue = () => true }: Bounds = {},
): Promise<RetentionRun> {
  const run =
    (await findUnfinishedRun(database, actor.tenant.id, given.digest)) ??
    (await startRun(database, actor, given))
  for (const [student_id, outcome] of Object.entries(run.outcomes)) {
    if (outcome !== null) continue
    if (!mayContinue()) break
    await requireSession(database, actor)
    await eraseDue(database, actor, student_id, run)
  }
  return inTransaction(database, async (db, commitWith) => {
    await lockSession(db, actor)
    return commitOnce({ db, actor, commitWith }, key, finishRun(db, actor, run.id))
  })
}

async function startRun(
  database: DatabasePool,
  actor: Actor,
  { digest, student_ids, agreed = false }: NewRetentionRun,
): Promise<StoredRun> {
  const preview = await previewRetention(database, actor, undefined, (part) => part())
  if (preview.digest !== digest) throw new Problem('preview_outdated')
  const all = [...preview.due, ...preview.partial].map(({ student_id }) => student_id)
  const ids = student_ids ?? all
  const known = new Set(all)
  if (!ids.every((id) => known.has(id))) throw notFound()
  await inTransaction(database, async (db) => {
    await lockSession(db, actor)
    await insertRun(db, actor, { digest, agreed, ids })
  })
  const run = await findUnfinishedRun(database, actor.tenant.id, digest)
  if (!run) throw new Problem('preview_outdated')
  return run
}

/** Erases a student who is still due, or restricts them, and records the outcome in the same transaction. */
async function eraseDue(
  database: DatabasePool,
  actor: Actor,
  student_id: string,
  { id, agreed }: StoredRun,
): Promise<void> {
  const tenantId = actor.tenant.id
  const result = await eraseStudent(database, actor, student_id, {
    isAgreed: agreed,
    hides: true,
    isDueOnly: true,
    reason: `retention ${localToday(actor.now, actor.tenant.timezone)}`,
    record: async (db) => {
      const counts = (await countRowsOf(db, tenantId, [student_id])).get(student_id)
      return async (result) => recordOutcome(db, tenantId, { id, student_id, ...outcomeOf(result, counts) })
    },
  })
  if (result.outcome !== 'not_agreed') return
  await inTransaction(database, (db) =>
    recordOutcome(db, tenantId, { id, student_id, outcome: 'mentioned_elsewhere' }),
  )
}

type Outcome = { readonly outcome: 'erased' | 'restricted' | SkipReason; readonly counts?: RetainedCounts }

function outcomeOf({ outcome, kept }: ErasureResult, counts: RetainedCounts = {}): Outcome {
  if (outcome === 'erased') return { outcome, counts: { student: 1, ...counts } }
  const { wish = 0, availability = 0, message = 0 } = counts
  if (outcome === 'restricted') return { outcome, counts: { wish, availability, message } }
  return { outcome: outcome === 'on_hold' ? 'hold' : (kept ?? 'not_due') }
}
