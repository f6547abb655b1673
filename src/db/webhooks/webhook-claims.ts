import { type RawBuilder, sql } from 'kysely'
import { bySchool, type ClaimOrder, isFree } from '../claim-order.ts'
import type { Position } from '../log/position.ts'
import type { Database, Transaction } from '../schema/tables.ts'

/** A webhook that only this process serves until its claim ends. */
export type ClaimedWebhook = {
  readonly tenant_id: string
  readonly id: string
  readonly url: string
  readonly events: readonly string[]
  readonly secret: Buffer
  readonly position: Position
  readonly round: number
  readonly turn: number
  readonly failures: number
}

/** Claims and returns the next due webhook, schools in turn; undefined if there is none. */
export async function claimWebhook(
  db: Database,
  { seconds, order }: { readonly seconds: number; readonly order: ClaimOrder },
): Promise<ClaimedWebhook | undefined> {
  const { rows } = await sql<ClaimedWebhook>`
    with due as (
      select tenant_id, id from webhooks
      where disabled_at is null and next_look_at <= now() and ${isFree(order, sql`id::text`)}
      order by ${bySchool(order)}, next_look_at
      limit 1 for update skip locked)
    update webhooks set turn = turn + 1, held_turn = turn + 1, next_look_at = now() + make_interval(secs => ${seconds})
    from due where webhooks.tenant_id = due.tenant_id and webhooks.id = due.id
    returning webhooks.tenant_id, webhooks.id, url, events, secret, position, round, turn, failures`.execute(
    db,
  )
  return rows[0]
}

export type Claim = Pick<ClaimedWebhook, 'tenant_id' | 'id' | 'turn'>

/** Returns the condition that a webhook is still claimed, that is, was not changed, disabled or replayed since. */
export function isClaimed({ tenant_id, id, turn }: Claim): RawBuilder<boolean> {
  return sql<boolean>`tenant_id = ${tenant_id} and id = ${id} and turn = ${turn}`
}

export async function holdsClaim(db: Transaction, claim: Claim): Promise<boolean> {
  const found = await db.selectFrom('webhooks').select('id').where(isClaimed(claim)).executeTakeFirst()
  return found !== undefined
}

/** Stores a claimed webhook's position in the log and renews the claim. Returns false if the claim was lost. */
export async function moveWebhook(
  db: Database,
  claim: Claim,
  { position, seconds }: Pick<Release, 'position' | 'seconds'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('webhooks')
    .set({
      position: JSON.stringify(position),
      next_look_at: sql<Date>`now() + make_interval(secs => ${seconds})`,
    })
    .where(isClaimed(claim))
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

type Release = {
  readonly seconds: number
  readonly position: Position
  readonly failures: number
  readonly hasSucceeded: boolean
}

/**
 * Ends a claim. Returns the seconds since the webhook began to fail, 0 if it works or no delivery waits; undefined if the claim
 * was lost.
 */
export async function releaseWebhook(
  db: Database,
  claim: Claim,
  { seconds, position, failures, hasSucceeded }: Release,
): Promise<number | undefined> {
  const failingSince = hasSucceeded ? sql`now()` : sql`coalesce(failing_since, now())`
  const isFailing = sql`${failures} > 0 and exists (select from webhook_deliveries
    where tenant_id = ${claim.tenant_id} and webhook_id = ${claim.id} and state = 'waiting')`
  const { rows } = await sql<{ failing: number }>`
    update webhooks set held_turn = null, next_look_at = now() + make_interval(secs => ${seconds}),
      position = ${JSON.stringify(position)}, failures = case when ${isFailing} then ${failures}::int else 0 end,
      failing_since = case when ${isFailing} then ${failingSince} end
    where ${isClaimed(claim)}
    returning coalesce(extract(epoch from now() - failing_since), 0)::float as failing`.execute(db)
  return rows[0]?.failing
}

/** Releases a webhook whose claim was lost to a change or replay, or whose turn failed, and makes it due after `seconds`. */
export async function giveBackWebhook(
  db: Database,
  { tenant_id, id, turn }: Claim,
  seconds: number,
): Promise<void> {
  await db
    .updateTable('webhooks')
    .set({ held_turn: null, next_look_at: sql<Date>`now() + make_interval(secs => ${seconds})` })
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .where('held_turn', '=', turn)
    .execute()
}
