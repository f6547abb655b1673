import { sql } from 'kysely'
import { type Claim, type ClaimOptions, claimNext, isClaimed } from '../claim-order.ts'
import type { Position } from '../log/position.ts'
import type { Database, Transaction } from '../schema/tables.ts'

export type ClaimedWebhook = Claim & {
  readonly url: string
  readonly events: readonly string[]
  readonly secret: Buffer
  readonly position: Position
  readonly round: number
  readonly failures: number
  readonly receiver: string
}

export function claimWebhook(db: Database, options: ClaimOptions): Promise<ClaimedWebhook | undefined> {
  const outbox = {
    table: 'webhooks',
    due: 'next_look_at',
    receiver: sql<string>`tenant_id || ' ' || split_part(url, '/', 3)`,
    isOpen: sql<boolean>`disabled_at is null`,
    set: sql`turn = turn + 1, held_turn = turn + 1`,
    columns: sql`turn, url, events, secret, position, round, failures`,
  } as const
  return claimNext(db, outbox, options)
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
