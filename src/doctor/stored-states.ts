import { type RawBuilder, sql } from 'kysely'
import type { TObject } from 'typebox'
import type { Resource } from '../contract/change.ts'
import { LessonTypeChangeSchema } from '../contract/lesson-type.ts'
import { appointmentFields } from '../db/appointments/appointments.ts'
import { HISTORIC_TABLES, RESOURCE_ROWS } from '../db/resources.ts'
import { archivedAt, confirmedAt, selectionOf } from '../db/schema/columns.ts'
import type { Database } from '../db/schema/tables.ts'
import { windowObject } from '../db/school/instructors.ts'
import { openingBalance } from '../db/students/students.ts'
import { namesOf } from '../domain/fields.ts'
import { INSTRUCTOR_FIELDS } from '../domain/instructor-fields.ts'
import { STUDENT_FIELDS } from '../domain/student-fields.ts'

/** The resources that the log covers completely. */
export const REPLAYED_RESOURCES = HISTORIC_TABLES.map(([resource]) => resource)

export type StoredState = {
  readonly version: number
  readonly fields: Readonly<Record<string, unknown>>
  readonly deleted: boolean
  readonly is_older: boolean
}

/** Whether a row is older than the log, and so may be missing from it. */
const isOlder = sql<boolean>`created_at < (select max("timestamp")::timestamptz from kysely_migration where name = '0003-changes')`

const isDeleted = sql`deleted_at is not null as deleted`

/** Returns the columns of a resource whose columns are named like its fields. */
function columnsAs({ properties }: TObject): RawBuilder<unknown> {
  const stamps = new Set(['id', 'version', 'created_at', 'updated_at'])
  return selectionOf(Object.keys(properties).filter((name) => !stamps.has(name)))
}

const selects = (tenantId: string): Partial<Record<Resource, RawBuilder<unknown>>> => ({
  appointment: sql`select id, ${selectionOf(appointmentFields)}, overrides_used, series_id, cancellation, no_show_fee_percent, ${selectionOf([confirmedAt])}, version,
    ${isDeleted}, ${isOlder} as is_older from appointments`,
  student: sql`select id, ${selectionOf(namesOf(STUDENT_FIELDS))}, ${selectionOf(['contacts', archivedAt])}, ${openingBalance(tenantId)} as opening_balance, version, ${isDeleted}, ${isOlder} as is_older from students`,
  instructor: sql`select id, ${selectionOf(namesOf(INSTRUCTOR_FIELDS))}, version, false as deleted, ${isOlder} as is_older,
    absences, array(select ${windowObject}
      from availability_windows w where w.tenant_id = i.tenant_id and w.instructor_id = i.id order by position) as availability_windows,
    array(select json_build_object('start_date', start_date, 'end_date', end_date, 'note', note)
      from vacations v where v.tenant_id = i.tenant_id and v.instructor_id = i.id order by position) as vacations
    from instructors i`,
  ...Object.fromEntries(
    RESOURCE_ROWS.filter(({ hasHistory }) => hasHistory).map(
      ({ resource, table, schema, startsUnlogged }) => [
        resource,
        sql`select id, ${columnsAs(schema)}, version, ${isDeleted}, ${startsUnlogged ? sql`true` : sql`false`} as is_older from ${sql.table(table)}`,
      ],
    ),
  ),
  // A lesson type's log begins with its first change: a school starts with the types of its pack.
  lesson_type: sql`select id, ${columnsAs(LessonTypeChangeSchema)}, version, false as deleted,
    true as is_older from lesson_types`,
})

export async function storedStates(
  db: Database,
  tenantId: string,
  { resource, ids }: { readonly resource: Resource; readonly ids: readonly string[] },
): Promise<ReadonlyMap<string, StoredState>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<
    Omit<StoredState, 'fields'> & { readonly id: string }
  >`${selects(tenantId)[resource]}
    where tenant_id = ${tenantId} and id = any(${ids}::uuid[])`.execute(db)
  return new Map(
    rows.map(({ id, version, deleted, is_older, ...fields }) => [id, { version, deleted, is_older, fields }]),
  )
}

export async function unloggedIds(
  db: Database,
  tenantId: string,
  resource: Resource,
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`select id from ${sql.table(`${resource}s`)} logged
    where tenant_id = ${tenantId} and ${isLogged(resource)} and not exists (select from changes
      where changes.tenant_id = logged.tenant_id and resource_id = logged.id and resource = ${sql.lit(resource)})`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

function isLogged(resource: Resource) {
  const { startsUnlogged = resource === 'lesson_type' } =
    RESOURCE_ROWS.find((one) => one.resource === resource) ?? {}
  return startsUnlogged ? sql`version > 1` : sql`not ${isOlder}`
}
