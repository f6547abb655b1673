import { type AliasedRawBuilder, type RawBuilder, sql } from 'kysely'
import type { TObject, TProperties } from 'typebox'
import type { FieldKind, FieldList, NameOf } from '../../domain/fields.ts'

/** Formats a column in UTC (RFC 3339). Uses a zero offset, because PostgreSQL would look up a named zone for every row. */
export const utc = (column: string) => utcText(sql.ref(column))

export const utcText = (moment: RawBuilder<unknown>) =>
  sql<string>`to_char(${moment} at time zone interval '0', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

export const createdAt = utc('created_at').as('created_at')
export const updatedAt = utc('updated_at').as('updated_at')
export const confirmedAt = sql<string | null>`${utc('confirmed_at')}`.as('confirmed_at')

export const archivedAt = sql<string | null>`${utc('archived_at')}`.as('archived_at')

export const nextVersion = { version: sql<number>`version + 1`, updated_at: sql<Date>`now()` }

const WALL_CLOCK = sql.lit('YYYY-MM-DD HH24:MI')

export const localTime = (moment: RawBuilder<unknown>, tenantId: RawBuilder<unknown>) =>
  sql<string>`to_char(${moment} at time zone (select timezone from tenants where tenants.id = ${tenantId}), ${WALL_CLOCK})`

export const startAt = sql<string>`to_char(start_at, ${WALL_CLOCK})`.as('start_at')
export const endAt = sql<string>`to_char(end_at, ${WALL_CLOCK})`.as('end_at')
export const actualStartAt = sql<string | null>`to_char(actual_start_at, ${WALL_CLOCK})`.as('actual_start_at')
export const actualEndAt = sql<string | null>`to_char(actual_end_at, ${WALL_CLOCK})`.as('actual_end_at')

export const IN_ORDER_OF_PACK = {
  orderedBy: { id: 'uuid' },
  ranking: 'position',
  versionedBy: 'updated_at',
} as const

export function selectionOf(columns: readonly (string | AliasedRawBuilder<unknown, string>)[]) {
  return sql.join(columns.map((one) => (typeof one === 'string' ? sql.ref(one) : one)))
}

const TYPES: Readonly<Record<FieldKind, string>> = {
  name: 'text',
  line: 'text',
  text: 'text',
  address: 'text',
  email: 'text',
  phone: 'text',
  date: 'date',
  wall_clock: 'timestamp',
  status: 'text',
  id: 'uuid',
  vehicles: 'uuid[]',
  attendees: 'jsonb',
  seats: 'integer',
  topic: 'text',
  exam_result: 'json',
  color: 'text',
  classes: 'text[]',
  flag: 'boolean',
  channel: 'text',
  language: 'text',
  number: 'text',
  weekly_lessons: 'integer',
  employment: 'text',
  daily_units: 'integer',
  weekly_units: 'integer',
  break_minutes: 'integer',
  continuous_minutes: 'integer',
}

type ColumnOf<Resource> =
  | Exclude<Extract<keyof Resource, string>, 'created_at' | 'updated_at'>
  | typeof createdAt
  | typeof updatedAt

export function columnsOf<Properties extends TProperties>({
  properties,
}: TObject<Properties>): readonly ColumnOf<Properties>[] {
  const times: Readonly<Record<string, unknown>> = { created_at: createdAt, updated_at: updatedAt }
  return Object.keys(properties).map((name) => (times[name] ?? name) as ColumnOf<Properties>)
}

export function sqlTypesOf<const List extends FieldList>(
  fields: List,
): Readonly<Record<NameOf<List>, string>> {
  return Object.fromEntries(Object.entries(fields).map(([name, { kind }]) => [name, TYPES[kind]])) as Record<
    NameOf<List>,
    string
  >
}
