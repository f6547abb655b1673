import type { StoredEnquiry } from '../../contract/enquiry.ts'
import type { InstructorChange } from '../../contract/instructor.ts'
import type { TenantChange } from '../../contract/tenant.ts'
import { requireInstructor } from '../../db/school/instructors.ts'
import { lockLessonTypes, updateLessonTypes } from '../../db/school/lesson-types.ts'
import { keepLocation } from '../../db/school/locations.ts'
import { lockPlan, type StoredPlan, updatePlan } from '../../db/school/plans.ts'
import { requireTenant } from '../../db/school/tenants.ts'
import { lockEnquiry, updateEnquiry } from '../../db/students/enquiries.ts'
import { teaches } from '../../db/students/student-sets.ts'
import { changeLockedInstructor } from '../school/change-instructor.ts'
import { changeLockedTenant } from '../school/change-tenant.ts'
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

/** The settings whose change needs a proof of identity. */
const PROVED = ['timezone', 'second_factor']

export async function undoTenant(undoing: UndoTransaction, reversal: Reversal): Promise<void> {
  const { db, actor } = undoing
  const stored = await requireTenant(db, actor.tenant.id)
  if (stored.version !== reversal.version) return undoing.refuse(reversal, 'changed_since')
  if (PROVED.some((name) => name in reversal.fields)) return undoing.refuse(reversal, 'not_undoable')
  const change: TenantChange = reversal.fields
  await changeLockedTenant(db, actor, stored, change)
  undoing.done(reversal)
}

/** Makes an applied plan a draft again, or takes that back. Its other changes stay: it is made again instead. */
export async function undoPlan(undoing: UndoTransaction, reversal: Reversal): Promise<void> {
  const { db, actor } = undoing
  const stored = await lockPlan(db, actor.tenant.id, reversal.id)
  const { state, applied = null } = reversal.fields as Partial<StoredPlan>
  const isRedo = state === 'applied' && applied !== null
  if (!stored || stored.state !== (isRedo ? 'draft' : 'applied') || !(isRedo || state === 'draft'))
    return undoing.refuse(reversal, 'not_undoable')
  if (stored.version !== reversal.version) return undoing.refuse(reversal, 'changed_since')
  const outcome = isRedo ? { ...applied, refused: [] } : null
  await updatePlan(db, actor, stored, { state, applied: outcome })
  undoing.done(reversal)
}

/** Reopens an enquiry that was closed, or enrolled if the student is deleted with it; or takes that back. */
export async function undoEnquiry(undoing: UndoTransaction, reversal: Reversal): Promise<void> {
  const { db, actor } = undoing
  const stored = await lockEnquiry(db, actor.tenant.id, reversal.id)
  if (!stored) return undoing.refuse(reversal, 'erased')
  if (reversal.action !== 'change') return undoing.refuse(reversal, 'not_undoable')
  if (stored.version !== reversal.version) return undoing.refuse(reversal, 'changed_since')
  const { state = stored.state, student_id = stored.student_id } = reversal.fields as Partial<StoredEnquiry>
  const student = undoing.refused.find(({ resource_id }) => resource_id === (student_id ?? stored.student_id))
  if (student) return undoing.refuse(reversal, student.code)
  await updateEnquiry(db, actor, stored, { state, student_id })
  undoing.done(reversal)
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
