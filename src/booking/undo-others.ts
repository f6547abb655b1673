import type { InstructorChange } from '../contract/instructor.ts'
import { Problem } from '../contract/problem.ts'
import type { TenantChange } from '../contract/tenant.ts'
import type { VehicleChange } from '../contract/vehicle.ts'
import { CLOSURES, lockInstructorCalendars } from '../db/closures.ts'
import { requireInstructor } from '../db/instructors.ts'
import { lockLessonTypes, updateLessonTypes } from '../db/lesson-types.ts'
import { keepLocation, requireKeptLocation } from '../db/locations.ts'
import { lockRows, updateRow } from '../db/resource-rows.ts'
import { teaches } from '../db/student-sets.ts'
import { requireTenant } from '../db/tenants.ts'
import { findStoredVehicle, VEHICLES } from '../db/vehicles.ts'
import { changeLockedInstructor } from './change-instructor.ts'
import { changeLockedTenant } from './change-tenant.ts'
import { deleteLockedVehicle, restoreLockedVehicle } from './change-vehicle.ts'
import type { Reversal } from './reversals.ts'
import type { UndoTransaction } from './undoing.ts'

/** Restores an instructor's earlier values. A new instructor becomes inactive, because instructors are never deleted. */
export async function undoInstructor(undoing: UndoTransaction, reversal: Reversal): Promise<void> {
  const { db, actor } = undoing
  const stored = await requireInstructor(db, actor.tenant.id, reversal.id)
  if (stored.version !== reversal.version) return undoing.refuse(reversal, 'changed_since')
  const isNew = reversal.action === 'delete'
  if (isNew && (await teaches(db, actor.tenant.id, stored.id))) return undoing.refuse(reversal, 'in_use')
  const change: InstructorChange = isNew ? { active: false } : reversal.fields
  const { location_id } = change
  if (location_id && !(await keepLocation(db, actor.tenant.id, location_id)))
    return undoing.refuse(reversal, 'not_found')
  await changeLockedInstructor(db, actor, stored, change)
  undoing.done(reversal)
}

export async function undoTenant(undoing: UndoTransaction, reversal: Reversal): Promise<void> {
  const { db, actor } = undoing
  const stored = await requireTenant(db, actor.tenant.id)
  if (stored.version !== reversal.version) return undoing.refuse(reversal, 'changed_since')
  const change: TenantChange = reversal.fields
  await changeLockedTenant(db, actor, stored, change)
  undoing.done(reversal)
}

export async function undoClosures(undoing: UndoTransaction): Promise<void> {
  const { db, actor } = undoing
  const reversals = undoing.take('closure')
  if (reversals.length === 0) return
  await lockInstructorCalendars(db, actor.tenant.id)
  const ids = reversals.map(({ id }) => id)
  const closures = new Map((await lockRows(db, actor.tenant.id, CLOSURES, ids)).map((one) => [one.id, one]))
  for (const reversal of reversals) {
    const stored = closures.get(reversal.id)
    if (stored?.version === reversal.version) {
      await updateRow(db, actor, CLOSURES, {
        stored,
        next: { ...stored, deleted: reversal.action === 'delete' },
      })
      undoing.done(reversal)
    } else undoing.refuse(reversal, 'changed_since')
  }
}

/** Restores earlier values of lesson types in one write, since one may take a position that another one leaves. */
export async function undoLessonTypes(undoing: UndoTransaction): Promise<void> {
  const { db, actor } = undoing
  const reversals = undoing.take('lesson_type')
  if (reversals.length === 0) return
  const all = await lockLessonTypes(db, actor.tenant.id)
  const versions = new Map(all.map(({ id, version }) => [id, version]))
  const current = reversals.filter(({ id, version }) => versions.get(id) === version)
  const fields = new Map(current.map((one) => [one.id, one.fields]))
  const replacements = all.map((stored) => ({ stored, next: { ...stored, ...fields.get(stored.id) } }))
  // If another type has taken one of the positions since, none is undone.
  const isApart = new Set(replacements.map(({ next }) => next.position)).size === all.length
  if (isApart) await updateLessonTypes(db, actor, replacements)
  for (const reversal of reversals) {
    if (isApart && fields.has(reversal.id)) undoing.done(reversal)
    else undoing.refuse(reversal, 'changed_since')
  }
}

/** Restores a vehicle or its earlier values, or deletes a new vehicle that is not in use. */
export async function undoVehicle(undoing: UndoTransaction, reversal: Reversal): Promise<void> {
  const { db, actor } = undoing
  const stored = await findStoredVehicle(db, actor.tenant.id, reversal.id)
  if (stored?.version !== reversal.version) return undoing.refuse(reversal, 'changed_since')
  const change: VehicleChange = reversal.fields
  try {
    if (reversal.action === 'delete') await deleteLockedVehicle(db, actor, stored)
    else if (reversal.action === 'restore') await restoreLockedVehicle(db, actor, stored)
    else {
      await requireKeptLocation(db, actor.tenant.id, change.location_id)
      await updateRow(db, actor, VEHICLES, { stored, next: { ...stored, ...change } as typeof stored })
    }
  } catch (error) {
    if (error instanceof Problem) return undoing.refuse(reversal, error.code)
    throw error
  }
  undoing.done(reversal)
}
