import { sql } from 'kysely'
import type { Actor } from '../../contract/actor.ts'
import { newId } from '../../contract/new-id.ts'
import type { RetentionRun, SkipReason } from '../../contract/retention.ts'
import type { Parameters } from '../connection/statement.ts'
import { jsonList } from '../json-list.ts'
import { utc } from '../schema/columns.ts'
import type { Database, RunOutcomes, Transaction } from '../schema/tables.ts'
import type { RetainedCounts } from './retention.ts'

export type StoredRun = {
  readonly id: string
  readonly agreed: boolean
  readonly outcomes: RunOutcomes
}

/** Returns the unfinished run of a preview. */
export async function findUnfinishedRun(
  db: Database,
  tenantId: string,
  digest: string,
): Promise<StoredRun | undefined> {
  return db
    .selectFrom('retention_runs')
    .select(['id', 'agreed', 'outcomes'])
    .where('tenant_id', '=', tenantId)
    .where('digest', '=', digest)
    .where('finished_at', 'is', null)
    .executeTakeFirst()
}

type NewRun = { readonly digest: string; readonly agreed: boolean; readonly ids: readonly string[] }

/** Starts a run, unless there is an unfinished one of the preview, and ends the runs that a newer preview has replaced. */
export async function insertRun(
  db: Transaction,
  { tenant, now, kind, id, name }: Actor,
  { digest, agreed, ids }: NewRun,
): Promise<void> {
  await db
    .updateTable('retention_runs')
    .set({ finished_at: now })
    .where('tenant_id', '=', tenant.id)
    .where('digest', '<>', digest)
    .where('finished_at', 'is', null)
    .execute()
  const outcomes = JSON.stringify(Object.fromEntries(ids.map((one) => [one, null])))
  const actor = { actor_kind: kind, actor_id: id, actor_name: name }
  await db
    .insertInto('retention_runs')
    .values({ tenant_id: tenant.id, id: newId(), at: now, ...actor, digest, agreed, outcomes })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

type Outcome = {
  readonly id: string
  readonly student_id: string
  readonly outcome: 'erased' | 'restricted' | SkipReason
  readonly counts?: RetainedCounts
}

/** Records the outcome for a student, if there is none yet, and adds the counts of what was erased. */
export async function recordOutcome(
  db: Transaction,
  tenantId: string,
  { id, student_id, outcome, counts = {} }: Outcome,
): Promise<void> {
  const run = await db
    .selectFrom('retention_runs')
    .select(['outcomes', 'counts'])
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (run?.outcomes[student_id] !== null) return
  const sums = { ...run.counts }
  for (const [name, count] of Object.entries(counts)) if (count > 0) sums[name] = (sums[name] ?? 0) + count
  await db
    .updateTable('retention_runs')
    .set({
      outcomes: sql<RunOutcomes>`outcomes || jsonb_build_object(${student_id}::text, ${outcome}::text)`,
      counts: JSON.stringify(sums),
    })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

/** Ends a run if it has reached everybody, and returns it. */
export async function finishRun(db: Transaction, { tenant, now }: Actor, id: string): Promise<RetentionRun> {
  await db
    .updateTable('retention_runs')
    .set({ finished_at: now })
    .where('tenant_id', '=', tenant.id)
    .where('id', '=', id)
    .where('finished_at', 'is', null)
    .where(sql<boolean>`not exists (select from jsonb_each(outcomes) where value = 'null')`)
    .execute()
  const row = await selectRuns(db, tenant.id).where('id', '=', id).executeTakeFirstOrThrow()
  return row as RetentionRun
}

export const listRuns = jsonList(
  {
    from: 'retention_runs',
    orderedBy: { at: 'timestamptz', id: 'uuid' },
    isNewestFirst: true,
    versionedBy: sql<string>`counts::text || outcomes::text`,
  },
  (db, { tenantId }: Parameters<{ tenantId: string }>) => selectRuns(db, tenantId),
)

const idsOf = (outcome: string) => sql<string[]>`(
  select coalesce(json_agg(key order by key), '[]') from jsonb_each_text(outcomes) where value = ${sql.lit(outcome)})`

function selectRuns(db: Database, tenantId: string | Parameters<{ tenantId: string }>['tenantId']) {
  return db
    .selectFrom('retention_runs')
    .select([
      'id',
      utc('at').as('at'),
      sql`json_build_object('kind', actor_kind, 'id', actor_id, 'name', actor_name)`.as('actor'),
      'digest',
      'counts',
      idsOf('erased').as('erased'),
      idsOf('restricted').as('restricted'),
      sql`(select coalesce(json_agg(json_build_object('student_id', key, 'reason', coalesce(value, 'not_reached')) order by key), '[]')
        from jsonb_each_text(outcomes) where coalesce(value, '') not in ('erased', 'restricted'))`.as(
        'skipped',
      ),
      utc('finished_at').as('finished_at'),
    ])
    .where('tenant_id', '=', tenantId)
}
