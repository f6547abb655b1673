import { type RawBuilder, sql } from 'kysely'

/** The turns of an outbox: the schools that had one, latest last, and the schools and receivers that have to wait now. */
export type ClaimOrder = {
  readonly served: readonly string[]
  readonly schools: readonly string[]
  readonly receivers: readonly string[]
}

export const NO_ORDER: ClaimOrder = { served: [], schools: [], receivers: [] }

export function isFree(
  { schools, receivers }: ClaimOrder,
  receiver: RawBuilder<string>,
): RawBuilder<boolean> {
  return sql<boolean>`array_position(${schools}::uuid[], tenant_id) is null
    and array_position(${receivers}::text[], ${receiver}) is null`
}

export function bySchool({ served }: ClaimOrder): RawBuilder<unknown> {
  return sql`array_position(${served}::uuid[], tenant_id) nulls first`
}
