import type { InstructorChange } from '../contract/instructor.ts'
import type { TenantChange } from '../contract/tenant.ts'
import { requireInstructor } from '../db/instructors.ts'
import { keepLocation } from '../db/locations.ts'
import { teaches } from '../db/student-sets.ts'
import { requireTenant } from '../db/tenants.ts'
import { changeLockedInstructor } from './change-instructor.ts'
import { changeLockedTenant } from './change-tenant.ts'
import type { Reversal } from './reversals.ts'
import type { Undoing } from './undoing.ts'

/** Restores the earlier values. A new instructor becomes inactive, because instructors are never deleted. */
export async function undoInstructor(undoing: Undoing, reversal: Reversal): Promise<void> {
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

export async function undoTenant(undoing: Undoing, reversal: Reversal): Promise<void> {
  const { db, actor } = undoing
  const stored = await requireTenant(db, actor.tenant.id)
  if (stored.version !== reversal.version) return undoing.refuse(reversal, 'changed_since')
  const change: TenantChange = reversal.fields
  await changeLockedTenant(db, actor, stored, change)
  undoing.done(reversal)
}
