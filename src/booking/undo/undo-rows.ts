import { Problem } from '../../contract/problem.ts'
import { lockRows, type StoredRow, updateRow } from '../../db/resource-rows.ts'
import type { Given, ManagedResource } from '../managed-resource.ts'
import type { Reversal } from './reversals.ts'
import type { UndoTransaction } from './undoing.ts'

type Versioned = { readonly id: string; readonly version: number }

/** Takes the reversals of rows that are unchanged. All are checked first, because a write may change other rows. */
async function takeUnchanged<One extends Versioned>(
  undoing: UndoTransaction,
  { rows, lock }: ManagedResource<One>,
): Promise<readonly Reversal[]> {
  const { db, actor } = undoing
  const reversals = undoing.take(rows.resource)
  if (reversals.length === 0) return []
  await lock(db, actor)
  const ids = reversals.map(({ id }) => id)
  const versions = new Map(
    (await lockRows(db, actor.tenant.id, rows, ids)).map(({ id, version }) => [id, version]),
  )
  const isUnchanged = ({ id, version }: Reversal) => versions.get(id) === version
  for (const reversal of reversals) if (!isUnchanged(reversal)) undoing.refuse(reversal, 'changed_since')
  // Deletions first, which make room for restorations.
  return reversals
    .filter(isUnchanged)
    .toSorted((a, b) => Number(b.action === 'delete') - Number(a.action === 'delete'))
}

async function undoRows<One extends Versioned>(
  undoing: UndoTransaction,
  resource: ManagedResource<One>,
  reversals: readonly Reversal[],
): Promise<void> {
  const { db, actor } = undoing
  const written: string[] = []
  for (const reversal of reversals) {
    const [stored] = await lockRows(db, actor.tenant.id, resource.rows, [reversal.id])
    if (!stored) continue
    const refusal = await undoRow(undoing, resource, reversal, stored).catch(codeOf)
    if (refusal) undoing.refuse(reversal, refusal)
    else undoing.done(reversal)
    if (!refusal) written.push(stored.id)
  }
  if (written.length > 0) await resource.afterUndo?.(db, actor, written)
}

async function undoRow<One extends Versioned>(
  { db, actor }: UndoTransaction,
  resource: ManagedResource<One>,
  { action, fields }: Reversal,
  stored: StoredRow<One>,
): Promise<string | undefined> {
  const { rows, limit, acceptedAgain = resource.accepted } = resource
  const given = fields as Given<One>
  if (action === 'restore' && (await limit?.isReached(db, actor, stored)))
    return limit?.code ?? 'not_undoable'
  if (action === 'delete') await resource.requireUnused?.(db, actor, stored)
  const next = {
    ...stored,
    ...(action === 'restore' && (await resource.restorable?.(db, actor, stored))),
    ...((await acceptedAgain?.(db, actor, given, stored)) ?? given),
    deleted: action === 'delete',
  }
  await updateRow(db, actor, rows, { stored, next })
  return undefined
}

/** Returns the code of a refusal. Throws any other error. */
export function codeOf(error: unknown): string {
  if (error instanceof Problem) return error.code
  throw error
}

/** The undo of one resource's rows, in two steps: others may refer to its rows. */
export type RowUndo = {
  readonly take: (undoing: UndoTransaction) => Promise<readonly Reversal[]>
  readonly undo: (undoing: UndoTransaction, reversals: readonly Reversal[]) => Promise<void>
}

export function rowUndo<One extends Versioned>(resource: ManagedResource<One>): RowUndo {
  return {
    take: (undoing) => takeUnchanged(undoing, resource),
    undo: (undoing, reversals) => undoRows(undoing, resource, reversals),
  }
}
