import { type ExpressionBuilder, type RawBuilder, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { Actor } from '../../contract/actor.ts'
import type { Instructor } from '../../contract/instructor.ts'
import { notFound } from '../../contract/problem.ts'
import { namesOf } from '../../domain/fields.ts'
import { INSTRUCTOR_FIELDS } from '../../domain/instructor-fields.ts'
import { insertCalendars } from '../calendars/calendar-locks.ts'
import type { Parameters } from '../connection/statement.ts'
import { jsonList } from '../json-list.ts'
import { changedFields, changeEntryFor, recordChanges } from '../log/changes.ts'
import { createdAt, nextVersion, updatedAt } from '../schema/columns.ts'
import type { Database, Tables, Transaction } from '../schema/tables.ts'

const scalarColumns = ['id', ...namesOf(INSTRUCTOR_FIELDS), 'absences'] as const

type TenantId = string | RawBuilder<string>

type Lists = Partial<Pick<Instructor, 'availability_windows' | 'vacations'>>

const windowFields = sql`'weekday', weekday, 'start', to_char("start", 'HH24:MI'), 'end', to_char("end", 'HH24:MI')`

const windowDates = sql`'valid_from', valid_from, 'valid_to', valid_to`

/** The JSON of a window, which contains dates only if it has any, and weeks only if it does not hold in all. */
export const windowObject = sql`case when valid_from is null and valid_to is null
  then json_build_object(${windowFields})
  when every_weeks = 1 then json_build_object(${windowFields}, ${windowDates})
  else json_build_object(${windowFields}, ${windowDates}, 'every_weeks', every_weeks) end`

const availabilityWindows = (tenantId: TenantId) =>
  sql<Instructor['availability_windows']>`(
    select coalesce(json_agg(${windowObject} order by position), '[]') from availability_windows
    where availability_windows.tenant_id = ${tenantId} and instructor_id = instructors.id)`.as(
    'availability_windows',
  )

const vacations = (tenantId: TenantId) => (instructor: ExpressionBuilder<Tables, 'instructors'>) =>
  jsonArrayFrom(
    instructor
      .selectFrom('vacations')
      .select(['start_date', 'end_date', 'note'])
      .where('vacations.tenant_id', '=', tenantId)
      .whereRef('instructor_id', '=', 'instructors.id')
      .orderBy('position'),
  ).as('vacations')

export async function readInstructors(db: Database, tenantId: string): Promise<Instructor[]> {
  return instructorsOf(db, tenantId).execute()
}

const BY_NAME = {
  from: 'instructors',
  orderedBy: { last_name: 'text', first_name: 'text', id: 'uuid' },
  versionedBy: 'version',
} as const

export const listInstructors = jsonList(
  BY_NAME,
  (db, { tenantId, own }: Parameters<{ tenantId: string; own?: string }>) =>
    instructorsOf(db, tenantId).$if(own !== undefined, (rest) => rest.where(sql<boolean>`id = ${own}`)),
)

export async function findInstructor(
  db: Database,
  tenantId: string,
  id: string,
): Promise<Instructor | undefined> {
  return instructorsOf(db, tenantId).where('id', '=', id).executeTakeFirst()
}

export async function hasInstructor(db: Database, tenantId: string, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('instructors')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row !== undefined
}

export async function findHome(db: Database, tenantId: string, id: string): Promise<string | null> {
  const row = await db
    .selectFrom('instructors')
    .select('location_id')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.location_id ?? null
}

export type InstructorValues = Omit<Instructor, 'id' | 'version' | 'created_at' | 'updated_at'>

export async function insertInstructor(
  db: Transaction,
  actor: Actor,
  instructor: InstructorValues & { readonly id: string },
): Promise<Instructor> {
  const { availability_windows, vacations, absences, ...scalars } = instructor
  const { id } = instructor
  await insertCalendars(db, actor.tenant.id, [{ id, kind: 'instructor' }])
  await db
    .insertInto('instructors')
    .values({ ...scalars, absences: JSON.stringify(absences), tenant_id: actor.tenant.id })
    .execute()
  await replaceLists(db, actor.tenant.id, id, { availability_windows, vacations })
  await recordChanges(db, actor, [changeEntryFor('instructor', undefined, instructor)])
  return requireInstructor(db, actor.tenant.id, id)
}

type Replacement = { readonly stored: Instructor; readonly next: Instructor }

/** Updates an instructor whose calendar is locked and records the change, if any. */
export async function updateInstructor(
  db: Transaction,
  actor: Actor,
  { stored, next }: Replacement,
): Promise<Instructor> {
  const changed = changedFields(stored, next)
  if (!changed) return stored
  const { availability_windows, vacations, absences, ...scalars } = changed
  await db
    .updateTable('instructors')
    .set({
      ...scalars,
      ...(absences && { absences: JSON.stringify(absences) }),
      ...nextVersion,
    })
    .where('tenant_id', '=', actor.tenant.id)
    .where('id', '=', stored.id)
    .execute()
  await replaceLists(db, actor.tenant.id, stored.id, { availability_windows, vacations })
  await recordChanges(db, actor, [changeEntryFor('instructor', stored, next)])
  return requireInstructor(db, actor.tenant.id, stored.id)
}

export async function requireInstructor(db: Database, tenantId: string, id: string): Promise<Instructor> {
  const instructor = await findInstructor(db, tenantId, id)
  if (!instructor) throw notFound()
  return instructor
}

function instructorsOf(db: Database, tenantId: TenantId) {
  return db
    .selectFrom('instructors')
    .select(scalarColumns)
    .select([availabilityWindows(tenantId), vacations(tenantId), 'version', createdAt, updatedAt])
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
    const rows = lists.vacations.map((vacation, position) => ({ ...owner, position, ...vacation }))
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
