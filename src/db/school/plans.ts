import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../contract/actor.ts'
import type { Plan } from '../../contract/plan.ts'
import type { LocalDate } from '../../domain/local-time.ts'
import type { Parameters } from '../connection/statement.ts'
import { jsonList } from '../json-list.ts'
import { changedFields, changeEntryFor, recordChanges } from '../log/changes.ts'
import { type Clock, databaseClock, readTime } from '../now.ts'
import { createdAt, nextVersion, updatedAt } from '../schema/columns.ts'
import type { Database, DroppedLesson, PlanOutcome, Transaction } from '../schema/tables.ts'

/** A plan as stored: whether it is outdated depends on the calendars. */
export type StoredPlan = Omit<Plan, 'state' | 'broken'> & {
  readonly state: 'draft' | 'applied' | 'discarded'
  readonly dropped: readonly DroppedLesson[]
  readonly applied: PlanOutcome | null
}

/** The time after which the planning of a process that has died no longer counts. A living one renews it earlier. */
export const LEASE_SECONDS = 15

const columns = [
  'id',
  'from',
  'to',
  'state',
  'instructor_ids',
  'student_ids',
  'overrides',
  'weights',
  'effort',
  'seed',
  'proposed',
  'left_out',
  'dropped',
  'figures',
  'applied',
  sql<Plan['actor']>`json_build_object('kind', actor_kind, 'id', actor_id, 'name', actor_name)`.as('actor'),
  'version',
  createdAt,
  updatedAt,
] as const

type Standing = { readonly tenantId: string; readonly ended: LocalDate }

/** Lists the plans that stand; drafts end after their last day, before `ended`. */
export const listPlans = jsonList(
  {
    from: 'plans',
    orderedBy: { created_at: 'timestamptz', id: 'uuid' },
    isNewestFirst: true,
    // Whether a draft is outdated depends on calendars.
    versionedBy: sql<string>`concat_ws(' ', version, case when state = 'draft' then clock_timestamp() end)`,
  },
  (db, { tenantId, ended }: Parameters<Standing>) => standing(db, { tenantId, ended }),
)

export async function findPlan(
  db: Database,
  { tenantId, ended, id }: Standing & { readonly id: string },
): Promise<StoredPlan | undefined> {
  const row = await standing(db, { tenantId, ended }).where('id', '=', id).executeTakeFirst()
  return row as unknown as StoredPlan | undefined
}

export async function lockPlan(
  db: Transaction,
  tenantId: string,
  id: string,
): Promise<StoredPlan | undefined> {
  const row = await plan(db, tenantId, id).forNoKeyUpdate().executeTakeFirst()
  return row as unknown as StoredPlan | undefined
}

function plan(db: Database, tenantId: string, id: string) {
  return db.selectFrom('plans').select(columns).where('tenant_id', '=', tenantId).where('id', '=', id)
}

function standing(db: Database, { tenantId, ended }: Standing | Parameters<Standing>) {
  return db
    .selectFrom('plans')
    .select(columns)
    .where('tenant_id', '=', tenantId)
    .where('state', '<>', 'discarded')
    .where(sql<boolean>`(state <> 'draft' or "to" >= ${ended}::date)`)
}

export async function insertPlan(
  db: Transaction,
  actor: Actor,
  plan: Omit<StoredPlan, 'version' | 'created_at' | 'updated_at' | 'actor'>,
): Promise<StoredPlan> {
  const { kind, id, name, tenant } = actor
  await db
    .insertInto('plans')
    .values({
      ...storable(plan),
      tenant_id: tenant.id,
      actor_kind: kind,
      actor_id: id,
      actor_name: name,
    } as never)
    .execute()
  await recordChanges(db, actor, [changeEntryFor('plan', undefined, logged(plan))])
  return requirePlan(db, tenant.id, plan.id)
}

/** Updates a locked plan. Its log has numbers instead of students, and no refusals, because those can name students. */
export async function updatePlan(
  db: Transaction,
  actor: Actor,
  stored: StoredPlan,
  change: Partial<StoredPlan>,
): Promise<StoredPlan> {
  const next = { ...stored, ...change }
  const changed = changedFields(stored as never, next as never)
  if (!changed) return stored
  await db
    .updateTable('plans')
    .set({ ...storable(changed), ...nextVersion } as never)
    .where('tenant_id', '=', actor.tenant.id)
    .where('id', '=', stored.id)
    .execute()
  await recordChanges(db, actor, [
    changeEntryFor('plan', { ...logged(stored), version: stored.version }, logged(next)),
  ])
  return requirePlan(db, actor.tenant.id, stored.id)
}

/** Records that a plan is being applied, and as which set: the rest after an interruption belongs to it. */
export async function markApplying(
  db: Transaction,
  tenantId: string,
  { id, applied }: { readonly id: string; readonly applied: PlanOutcome },
): Promise<void> {
  await db
    .updateTable('plans')
    .set({ applied: JSON.stringify(applied) } as never)
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

/** Removes a student from all plans. Numbers stay. */
export async function removeFromPlans(db: Transaction, tenantId: string, studentId: string): Promise<void> {
  const without = (list: RawBuilder<unknown>) => sql`(
    select coalesce(jsonb_agg(one), '[]') from jsonb_array_elements(${list}) one
    where one ->> 'student_id' is distinct from ${studentId}::text)`
  await sql`update plans set proposed = ${without(sql`proposed`)}, left_out = ${without(sql`left_out`)},
      dropped = ${without(sql`dropped`)}, student_ids = array_remove(student_ids, ${studentId}::uuid)
    where tenant_id = ${tenantId} and (${studentId}::uuid = any(student_ids)
      or jsonb_path_exists(proposed || left_out || dropped, '$[*] ? (@.student_id == $id)', jsonb_build_object('id', ${studentId}::text)))`.execute(
    db,
  )
}

type Planning = { readonly tenantId: string; readonly id: string }

/** Whether a plan is being made or applied in a school. */
export async function isPlanning(
  db: Database,
  tenantId: string,
  clock: Clock = databaseClock,
): Promise<boolean> {
  const running = await db
    .selectFrom('plannings')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('until', '>=', clock())
    .executeTakeFirst()
  return running !== undefined
}

/** Begins to plan in a school; false if another process does so. */
export async function beginPlanning(
  db: Database,
  { tenantId, id }: Planning,
  clock: Clock = databaseClock,
): Promise<boolean> {
  // Read first: on a cluster, only immutable expressions may be set on a conflict.
  const now = await readTime(db, clock)
  const until = sql<Date>`${new Date(now.getTime() + LEASE_SECONDS * 1000)}::timestamptz`
  const begun = await db
    .insertInto('plannings')
    .values({ tenant_id: tenantId, id, until })
    .onConflict((conflict) =>
      conflict.column('tenant_id').doUpdateSet({ id, until }).where('plannings.until', '<', now),
    )
    .returning('id')
    .executeTakeFirst()
  return begun !== undefined
}

export async function renewPlanning(
  db: Database,
  { tenantId, id }: Planning,
  clock: Clock = databaseClock,
): Promise<void> {
  const until = sql<Date>`${clock()} + make_interval(secs => ${sql.lit(LEASE_SECONDS)})`
  await db
    .updateTable('plannings')
    .set({ until })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

export async function endPlanning(db: Database, { tenantId, id }: Planning): Promise<void> {
  await db.deleteFrom('plannings').where('tenant_id', '=', tenantId).where('id', '=', id).execute()
}

async function requirePlan(db: Database, tenantId: string, id: string): Promise<StoredPlan> {
  const row = await plan(db, tenantId, id).executeTakeFirstOrThrow()
  return row as unknown as StoredPlan
}

const JSON_COLUMNS: ReadonlySet<string> = new Set([
  'weights',
  'proposed',
  'left_out',
  'dropped',
  'figures',
  'applied',
])

function storable(fields: Readonly<Record<string, unknown>>) {
  const entries = Object.entries(fields).map(([name, value]) => {
    const isText = JSON_COLUMNS.has(name) && value !== null
    return [name, isText ? JSON.stringify(value) : value]
  })
  return Object.fromEntries(entries)
}

function logged(
  plan: Pick<StoredPlan, 'id' | 'from' | 'to' | 'state' | 'proposed' | 'left_out' | 'applied'>,
) {
  const { id, from, to, state, proposed, left_out } = plan
  const locked = proposed.filter(({ is_locked }) => is_locked).length
  const applied = plan.applied && { as: plan.applied.as, set_id: plan.applied.set_id }
  return { id, from, to, state, lessons: proposed.length, locked, left_out: left_out.length, applied }
}
