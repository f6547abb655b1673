import type { Actor } from '../../contract/actor.ts'
import type { Instructor, InstructorChange, NewInstructor } from '../../contract/instructor.ts'
import { newId } from '../../contract/new-id.ts'
import { notFound } from '../../contract/problem.ts'
import { lockCalendars } from '../../db/calendars/calendar-locks.ts'
import type { DatabasePool } from '../../db/connection/pool.ts'
import { inTransaction } from '../../db/connection/transaction.ts'
import type { IdempotencyKey } from '../../db/idempotency-keys.ts'
import { findRow } from '../../db/resource-rows.ts'
import type { Database, Transaction } from '../../db/schema/tables.ts'
import { insertInstructor, requireInstructor, updateInstructor } from '../../db/school/instructors.ts'
import { requireKeptLocation, requireLocation } from '../../db/school/locations.ts'
import { lockTenant } from '../../db/school/tenants.ts'
import { VEHICLES } from '../../db/school/vehicles.ts'
import { endLink } from '../../db/students/links.ts'
import type { AvailabilityWindow } from '../../domain/agenda.ts'
import { blankOf } from '../../domain/fields.ts'
import { INSTRUCTOR_COLORS } from '../../domain/instructor-colors.ts'
import { defaultRulesFor } from '../../domain/instructor-defaults.ts'
import { INSTRUCTOR_FIELDS } from '../../domain/instructor-fields.ts'
import { type Intent, requireExpected } from '../expected-version.ts'
import { commitOnce } from '../idempotent.ts'
import { withNotes } from './vehicles.ts'

/** Creates an instructor. Limits, breaks and windows default to the tenant's. Fails if the key is taken. */
export async function hireInstructor(
  database: DatabasePool,
  actor: Actor,
  given: NewInstructor,
  key?: IdempotencyKey,
): Promise<Instructor> {
  const { tenant } = actor
  const id = newId()
  const instructor = {
    id,
    ...blankOf(INSTRUCTOR_FIELDS),
    color: colorFor(id),
    license_classes: [],
    active: true,
    employment: 'employee' as const,
    is_trainee: false,
    vacations: [],
    usual_vehicle_id: null,
    absences: [],
    ...defaultRulesFor(tenant),
    ...asStored(given),
  }
  return inTransaction(database, async (db, commitWith) => {
    // A closure locks the tenant and then all instructors' calendars: it must not miss a new one.
    await lockTenant(db, tenant.id)
    await requireKeptReferences(db, tenant.id, given)
    return commitOnce({ db, actor, commitWith }, key, insertInstructor(db, actor, instructor))
  })
}

/**
 * Changes an instructor whose calendar it locks; lessons that now break a rule stay. Deactivating an instructor ends the
 * calendar feed for good. Throws `not_found` and `stale`.
 */
export async function changeInstructor(
  database: DatabasePool,
  actor: Actor,
  id: string,
  intent: Intent<InstructorChange>,
): Promise<Instructor> {
  return inTransaction(database, async (db) => {
    const stored = await lockInstructor(db, actor, id)
    return changeSeenInstructor(db, actor, stored, intent)
  })
}

/** Changes a locked instructor if the client has seen its version. Throws `not_found` for references, and `stale`. */
export async function changeSeenInstructor(
  db: Transaction,
  actor: Actor,
  stored: Instructor,
  { change, isExpected }: Intent<InstructorChange>,
): Promise<Instructor> {
  const { usual_vehicle_id, location_id } = change
  await requireKeptReferences(db, actor.tenant.id, {
    usual_vehicle_id: usual_vehicle_id === stored.usual_vehicle_id ? null : usual_vehicle_id,
    location_id: location_id === stored.location_id ? null : location_id,
  })
  requireExpected(isExpected, stored)
  return changeLockedInstructor(db, actor, stored, change)
}

export async function requireReferences(
  db: Database,
  tenantId: string,
  { usual_vehicle_id, location_id }: Pick<InstructorChange, 'usual_vehicle_id' | 'location_id'>,
): Promise<void> {
  await requireLocation(db, tenantId, location_id)
  if (usual_vehicle_id && !(await findRow(db, tenantId, VEHICLES, usual_vehicle_id))) throw notFound()
}

async function requireKeptReferences(
  db: Transaction,
  tenantId: string,
  { usual_vehicle_id, location_id }: Pick<InstructorChange, 'usual_vehicle_id' | 'location_id'>,
): Promise<void> {
  await requireKeptLocation(db, tenantId, location_id)
  await requireReferences(db, tenantId, { usual_vehicle_id })
}

export async function changeLockedInstructor(
  db: Transaction,
  actor: Actor,
  stored: Instructor,
  change: InstructorChange,
): Promise<Instructor> {
  const { id, active } = stored
  if (active && change.active === false) await endLink(db, actor, { kind: 'calendar_feed', id })
  return updateInstructor(db, actor, { stored, next: { ...stored, ...asStored(change) } })
}

export async function lockInstructor(db: Transaction, actor: Actor, id: string): Promise<Instructor> {
  const [, stored] = await Promise.all([
    lockCalendars(db, actor.tenant.id, [id]),
    requireInstructor(db, actor.tenant.id, id),
  ])
  return stored
}

/** Returns the values as stored: with the optional fields of list entries filled in. */
export function asStored<T extends Pick<InstructorChange, 'availability_windows' | 'vacations' | 'absences'>>(
  values: T,
) {
  const { availability_windows, vacations, ...rest } = values
  return {
    ...withNotes(rest),
    ...(availability_windows && { availability_windows: storedWindows(availability_windows) }),
    ...(vacations && {
      vacations: vacations.map(({ start_date, end_date, note = null }) => ({ start_date, end_date, note })),
    }),
  }
}

export function storedWindows(windows: readonly AvailabilityWindow[]): AvailabilityWindow[] {
  return windows.map(({ weekday, start, end, valid_from = null, valid_to = null, every_weeks = 1 }) => ({
    weekday,
    start,
    end,
    ...((valid_from || valid_to) && { valid_from, valid_to }),
    ...(every_weeks > 1 && { every_weeks }),
  }))
}

function colorFor(id: string): string {
  const index = Number.parseInt(id.slice(-6), 16) % INSTRUCTOR_COLORS.length
  return INSTRUCTOR_COLORS[index] ?? INSTRUCTOR_COLORS[0]
}
