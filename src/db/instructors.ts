import { type ExpressionBuilder, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { Instructor, InstructorChange } from '../contract/instructor.ts'
import { createdAt, updatedAt } from './columns.ts'
import { type JsonList, jsonList } from './json-list.ts'
import { statement } from './statement.ts'
import type { Database, Tables, Transaction } from './tables.ts'

const scalarColumns = [
  'id',
  'first_name',
  'last_name',
  'email',
  'phone',
  'color',
  'license_classes',
  'active',
  'max_daily_units',
  'max_daily_override',
  'max_weekly_units',
  'max_weekly_override',
  'required_break_minutes',
  'max_continuous_minutes',
] as const

type Lists = Pick<InstructorChange, 'availability_windows' | 'vacations'>
type Scalars = Pick<Instructor, Exclude<(typeof scalarColumns)[number], 'id'>>

/** The instructor's windows, in the order they were given. */
export const availabilityWindows = (instructor: ExpressionBuilder<Tables, 'instructors'>) =>
  jsonArrayFrom(
    instructor
      .selectFrom('availability_windows')
      .select(['weekday', timeOfDay('start').as('start'), timeOfDay('end').as('end')])
      .whereRef('availability_windows.tenant_id', '=', 'instructors.tenant_id')
      .whereRef('instructor_id', '=', 'instructors.id')
      .orderBy('position'),
  ).as('availability_windows')

/** The instructor's vacations, in the order they were given. */
export const vacations = (instructor: ExpressionBuilder<Tables, 'instructors'>) =>
  jsonArrayFrom(
    instructor
      .selectFrom('vacations')
      .select(['start_date', 'end_date', 'note'])
      .whereRef('vacations.tenant_id', '=', 'instructors.tenant_id')
      .whereRef('instructor_id', '=', 'instructors.id')
      .orderBy('position'),
  ).as('vacations')

/** The tenant's instructors by name. */
export function listInstructors(db: Database, tenantId: string): JsonList {
  return instructors(db, { tenantId })
}

const BY_NAME = { orderedBy: ['last_name', 'first_name', 'id'], versionedBy: 'version' } as const

const instructors = jsonList(BY_NAME, (db, { tenantId }: { tenantId: string }, after) =>
  instructorsOf(db, tenantId)
    .$if(after !== undefined, (rest) =>
      rest.where(
        sql<boolean>`(last_name, first_name, id) > (${after?.[0]}, ${after?.[1]}, ${after?.[2]}::uuid)`,
      ),
    )
    .orderBy('last_name')
    .orderBy('first_name')
    .orderBy('id'),
)

/** The instructor with its windows and vacations. */
export async function findInstructor(
  db: Database,
  tenantId: string,
  id: string,
): Promise<Instructor | undefined> {
  return instructorsOf(db, tenantId).where('id', '=', id).executeTakeFirst()
}

/**
 * Locks instructors, in the order of the ids, and counts their calendars on; answers those that exist. An update
 * that changes no key locks as `for no key update` does, and costs no more.
 */
export async function lockInstructors(
  db: Transaction,
  tenantId: string,
  ids: readonly string[],
): Promise<{ id: string; version: number }[]> {
  const locked = await Promise.all(ids.toSorted().map((id) => lockInstructor(db, { tenantId, id })))
  return locked.flat()
}

const lockInstructor = statement((db, { tenantId, id }: { tenantId: string; id: string }) =>
  db
    .updateTable('instructors')
    .set({ calendar_version: sql<number>`calendar_version + 1` })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .returning(['id', 'version'])
    .compile(),
)

/** Whether the tenant has the instructor. */
export async function hasInstructor(db: Database, tenantId: string, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('instructors')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row !== undefined
}

/** Stores an instructor. */
export async function insertInstructor(
  db: Transaction,
  tenantId: string,
  { id, scalars, lists }: { id: string; scalars: Scalars; lists: Lists },
): Promise<void> {
  await db
    .insertInto('instructors')
    .values({ ...scalars, id, tenant_id: tenantId })
    .execute()
  await replaceLists(db, tenantId, id, lists)
}

/** Changes an instructor that is locked. A list that is given replaces the stored one. */
export async function updateInstructor(
  db: Transaction,
  tenantId: string,
  id: string,
  { availability_windows, vacations, ...scalars }: InstructorChange,
): Promise<void> {
  await db
    .updateTable('instructors')
    .set({ ...scalars, version: sql<number>`version + 1`, updated_at: sql<Date>`now()` })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute()
  await replaceLists(db, tenantId, id, { availability_windows, vacations })
}

function instructorsOf(db: Database, tenantId: string) {
  return db
    .selectFrom('instructors')
    .select(scalarColumns)
    .select([availabilityWindows, vacations, 'version', createdAt, updatedAt])
    .where('tenant_id', '=', tenantId)
}

async function replaceLists(
  db: Transaction,
  tenantId: string,
  instructorId: string,
  lists: Lists,
): Promise<void> {
  const owner = { tenant_id: tenantId, instructor_id: instructorId }
  if (lists.availability_windows) {
    await clear(db, 'availability_windows', owner)
    const rows = lists.availability_windows.map((window, position) => ({ ...owner, position, ...window }))
    if (rows.length > 0) await db.insertInto('availability_windows').values(rows).execute()
  }
  if (lists.vacations) {
    await clear(db, 'vacations', owner)
    const rows = lists.vacations.map((vacation, position) => ({
      ...owner,
      position,
      note: null,
      ...vacation,
    }))
    if (rows.length > 0) await db.insertInto('vacations').values(rows).execute()
  }
}

async function clear(
  db: Transaction,
  list: 'availability_windows' | 'vacations',
  owner: { tenant_id: string; instructor_id: string },
): Promise<void> {
  await db
    .deleteFrom(list)
    .where('tenant_id', '=', owner.tenant_id)
    .where('instructor_id', '=', owner.instructor_id)
    .execute()
}

function timeOfDay(column: 'start' | 'end') {
  return sql<string>`to_char(${sql.ref(column)}, 'HH24:MI')`
}
