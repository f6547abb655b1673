import type { Actor } from '../contract/actor.ts'
import { newId } from '../contract/new-id.ts'
import { invalidRequest, notFound } from '../contract/problem.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import { inTransaction } from '../db/connection/transaction.ts'
import type { IdempotencyKey } from '../db/idempotency-keys.ts'
import {
  blankOf,
  insertRow,
  lockRows,
  type ResourceRows,
  type StoredRow,
  updateRow,
} from '../db/resource-rows.ts'
import type { Transaction } from '../db/schema/tables.ts'
import { deletion } from './deletion.ts'
import { type Intent, requireExpected } from './expected-version.ts'
import { commitOnce } from './idempotent.ts'

type Versioned = { readonly id: string; readonly version: number }
type Stamps = 'id' | 'version' | 'created_at' | 'updated_at'
export type Given<One> = Partial<Omit<One, Stamps>>

/** The most rows that may stand; `code` is the reason if an undo would exceed it. */
type Limit<One> = {
  readonly detail: string
  readonly isReached: (db: Transaction, actor: Actor, row: Given<One>) => Promise<boolean>
  readonly code?: 'too_many'
}

type Accept<One> = (
  db: Transaction,
  actor: Actor,
  given: Given<One>,
  stored?: StoredRow<One>,
) => Promise<Given<One>>

/** A resource whose use cases follow from its rows, with what it decides by itself. */
export type ManagedResource<One extends Versioned> = {
  readonly rows: ResourceRows<One>
  readonly defaults?: Given<One>
  readonly limit?: Limit<One>
  readonly lock: (db: Transaction, actor: Actor, id?: string) => Promise<unknown>
  /** Returns fields as stored. Throws `invalid_request` and `not_found`. */
  readonly accepted?: Accept<One>
  readonly acceptedAgain?: Accept<One>
  readonly beforeInsert?: (db: Transaction, actor: Actor, id: string) => Promise<unknown>
  readonly requireUnused?: (db: Transaction, actor: Actor, stored: StoredRow<One>) => Promise<unknown>
  readonly restorable?: (db: Transaction, actor: Actor, stored: StoredRow<One>) => Promise<StoredRow<One>>
  readonly afterWrite?: (
    db: Transaction,
    actor: Actor,
    next: StoredRow<One>,
    stored?: StoredRow<One>,
  ) => Promise<unknown>
  readonly afterUndo?: (db: Transaction, actor: Actor, ids: readonly string[]) => Promise<unknown>
}

/** Returns the use case that adds a row. It throws `invalid_request` at the limit, and as `accepted`. Fails if the key is taken. */
export function adding<One extends Versioned, New>(resource: ManagedResource<One>) {
  return async (database: DatabasePool, actor: Actor, given: New, key?: IdempotencyKey): Promise<One> =>
    inTransaction(database, async (db, commitWith) => {
      await resource.lock(db, actor)
      return commitOnce({ db, actor, commitWith }, key, insertNew(db, actor, resource, given as Given<One>))
    })
}

export async function insertNew<One extends Versioned>(
  db: Transaction,
  actor: Actor,
  { rows, defaults, limit, accepted, beforeInsert, afterWrite }: ManagedResource<One>,
  given: Given<One>,
): Promise<One> {
  if (await limit?.isReached(db, actor, given))
    throw invalidRequest([{ pointer: '', code: 'too_many', detail: limit?.detail ?? '' }])
  const fields = (await accepted?.(db, actor, given)) ?? given
  const row = { ...blankOf(rows), ...defaults, ...fields, id: newId() } as unknown as StoredRow<One>
  await beforeInsert?.(db, actor, row.id)
  const stored = await insertRow(db, actor, rows, row)
  await afterWrite?.(db, actor, row)
  return stored
}

/** Returns the use case that changes a row. It throws `not_found`, `stale`, and as `accepted`. */
export function changing<One extends Versioned, Wanted>(resource: ManagedResource<One>) {
  return async (
    database: DatabasePool,
    actor: Actor,
    id: string,
    { change, isExpected }: Intent<Wanted>,
  ): Promise<One> =>
    inTransaction(database, async (db) => {
      const stored = await lockOne(db, actor, resource, id)
      if (!stored || stored.deleted) throw notFound()
      const wanted = change as Given<One>
      const fields = (await resource.accepted?.(db, actor, wanted, stored)) ?? wanted
      requireExpected(isExpected, stored)
      return writeLocked(db, actor, resource, { stored, next: { ...stored, ...fields } })
    })
}

/** Returns the use case that marks a row as deleted. It throws `not_found`, `stale`, and as `requireUnused`. */
export function deleting<One extends Versioned>(resource: ManagedResource<One>) {
  return deletion(
    (db, actor, id) => lockOne(db, actor, resource, id),
    (db, actor, stored) => deleteLocked(db, actor, resource, stored),
  )
}

/** Returns the use case that restores a deleted row. It throws `not_found`. */
export function restoring<One extends Versioned>(resource: ManagedResource<One>) {
  return async (database: DatabasePool, actor: Actor, id: string): Promise<One> =>
    inTransaction(database, async (db) => {
      const stored = await lockOne(db, actor, resource, id)
      if (!stored) throw notFound()
      return restoreLocked(db, actor, resource, stored)
    })
}

export async function lockOne<One extends Versioned>(
  db: Transaction,
  actor: Actor,
  { rows, lock }: ManagedResource<One>,
  id: string,
): Promise<StoredRow<One> | undefined> {
  await lock(db, actor, id)
  const [stored] = await lockRows(db, actor.tenant.id, rows, [id])
  return stored
}

export async function deleteLocked<One extends Versioned>(
  db: Transaction,
  actor: Actor,
  resource: ManagedResource<One>,
  stored: StoredRow<One>,
): Promise<void> {
  await resource.requireUnused?.(db, actor, stored)
  await writeLocked(db, actor, resource, { stored, next: { ...stored, deleted: true } })
}

export async function restoreLocked<One extends Versioned>(
  db: Transaction,
  actor: Actor,
  resource: ManagedResource<One>,
  stored: StoredRow<One>,
): Promise<One> {
  const next = (await resource.restorable?.(db, actor, stored)) ?? stored
  return writeLocked(db, actor, resource, { stored, next: { ...next, deleted: false } })
}

export async function writeLocked<One extends Versioned>(
  db: Transaction,
  actor: Actor,
  { rows, afterWrite }: ManagedResource<One>,
  { stored, next }: { readonly stored: StoredRow<One>; readonly next: StoredRow<One> },
): Promise<One> {
  const written = await updateRow(db, actor, rows, { stored, next })
  await afterWrite?.(db, actor, next, stored)
  return written
}
