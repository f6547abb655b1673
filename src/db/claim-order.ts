import { type RawBuilder, sql } from 'kysely'
import type { Database } from './schema/tables.ts'

/** The turns of an outbox: the schools that had one, latest last, and the schools and receivers that have to wait now. */
export type ClaimOrder = {
  readonly served: readonly string[]
  readonly schools: readonly string[]
  readonly receivers: readonly string[]
}

export const NO_ORDER: ClaimOrder = { served: [], schools: [], receivers: [] }

function isFree({ schools, receivers }: ClaimOrder, receiver: RawBuilder<string>): RawBuilder<boolean> {
  return sql<boolean>`array_position(${schools}::uuid[], tenant_id) is null
    and array_position(${receivers}::text[], ${receiver}) is null`
}

function bySchool({ served }: ClaimOrder): RawBuilder<unknown> {
  return sql`array_position(${served}::uuid[], tenant_id) nulls first`
}

/** A claimed row of an outbox. Another `turn` of the row shows that the claim was lost. */
export type Claim = { readonly tenant_id: string; readonly id: string; readonly turn: number }

export function isClaimed({ tenant_id, id, turn }: Claim): RawBuilder<boolean> {
  return sql<boolean>`tenant_id = ${tenant_id} and id = ${id} and turn = ${turn}`
}

type OutboxTable = {
  readonly table: 'busy_calendars' | 'mails' | 'messages' | 'webhooks'
  readonly due: string
  readonly receiver: RawBuilder<string>
  readonly isOpen: RawBuilder<boolean>
  readonly order?: RawBuilder<unknown>
  readonly set: RawBuilder<unknown>
  readonly columns: RawBuilder<unknown>
}

export type ClaimOptions = {
  readonly seconds: number
  readonly order: ClaimOrder
  readonly now?: RawBuilder<Date>
}

/** Claims and returns the next due row, schools in turn; undefined if there is none. It is due again after `seconds`. */
export async function claimNext<Row>(
  db: Database,
  { table, receiver, isOpen, set, columns, ...outbox }: OutboxTable,
  { seconds, order, now = sql<Date>`now()` }: ClaimOptions,
): Promise<(Row & { readonly receiver: string }) | undefined> {
  const due = sql.ref(outbox.due)
  const { rows } = await sql<Row & { readonly receiver: string }>`
    with due as (
      select tenant_id, id, ${receiver} as receiver from ${sql.table(table)}
      where ${isOpen} and ${due} <= ${now} and ${isFree(order, receiver)}
      order by ${bySchool(order)}, ${outbox.order ?? due}
      limit 1 for update skip locked)
    update ${sql.table(table)} one set ${set}, ${due} = ${now} + make_interval(secs => ${seconds})
    from due where one.tenant_id = due.tenant_id and one.id = due.id
    returning one.tenant_id, one.id, due.receiver, ${columns}`.execute(db)
  return rows[0]
}
