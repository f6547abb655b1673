import { lockSession } from '../../auth/lock-session.ts'
import type { Actor } from '../../contract/actor.ts'
import type { FileImport } from '../../contract/file-import.ts'
import type { Tenant } from '../../contract/tenant.ts'
import type { DatabasePool } from '../../db/connection/pool.ts'
import { inTransaction } from '../../db/connection/transaction.ts'
import type { IdempotencyKey } from '../../db/idempotency-keys.ts'
import type { Transaction } from '../../db/schema/tables.ts'
import { lockTenant } from '../../db/school/tenants.ts'
import { commitOnce } from '../idempotent.ts'
import type { TimeSlicer } from '../time-slicer.ts'

export type ImportLine<Value> = { readonly line: number; readonly value: Value }

export type ImportableLines<Value> = {
  readonly lines: readonly ImportLine<Value>[]
  readonly faulty_lines: readonly number[] | undefined
}

/** The probable duplicates among the lines, and a function that writes the wanted lines. */
export type ImportPlan<Value> = {
  readonly duplicates: readonly { readonly line: number }[]
  readonly write: (lines: readonly ImportLine<Value>[]) => Promise<void>
}

type Scene<Value> = {
  readonly db: Transaction
  readonly actor: Actor
  readonly tenant: Tenant
  readonly lines: readonly ImportLine<Value>[]
  readonly slicer: TimeSlicer
}

export type PlanImport<Value> = (scene: Scene<Value>) => Promise<ImportPlan<Value>>

type ImportOptions<Value> = {
  readonly plan: PlanImport<Value>
  readonly key?: IdempotencyKey | undefined
  readonly slicer: TimeSlicer
}

/** Imports lines as one set, except probable duplicates not in `import_lines`. Imports of a school run one at a time. */
export async function importLines<Value>(
  database: DatabasePool,
  actor: Actor,
  {
    lines,
    import_lines,
    faulty_lines,
  }: ImportableLines<Value> & { readonly import_lines: readonly number[] },
  { plan, key, slicer }: ImportOptions<Value>,
): Promise<FileImport> {
  return inTransaction(database, async (db, commitWith) => {
    const tenant = await lockTenant(db, actor.tenant.id)
    await lockSession(db, actor)
    const anyway = new Set(import_lines)
    const { duplicates, write } = await plan({ db, actor, tenant, lines, slicer })
    const skipped = new Set(duplicates.map(({ line }) => line).filter((line) => !anyway.has(line)))
    const wanted = lines.filter(({ line }) => !skipped.has(line))
    await write(wanted)
    const done: FileImport = { imported: wanted.length, skipped_lines: [...skipped] }
    if (faulty_lines) done.faulty_lines = [...faulty_lines]
    return commitOnce({ db, actor, commitWith }, key, Promise.resolve(done))
  })
}
