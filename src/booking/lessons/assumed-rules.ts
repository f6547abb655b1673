import type { Assumed } from '../../contract/assumed.ts'
import { notFound } from '../../contract/problem.ts'
import type { CalendarOverlay } from '../../db/calendars/agendas.ts'
import type { Database } from '../../db/schema/tables.ts'
import { hasInstructor } from '../../db/school/instructors.ts'
import { asStored, requireReferences } from '../school/change-instructor.ts'

/**
 * Returns the overlay of pending changes of instructors; the last one of an instructor wins. Throws `not_found` if the tenant
 * lacks one of the instructors or one of their vehicles.
 */
export async function requireAssumed(
  db: Database,
  tenantId: string,
  assumed: Assumed,
): Promise<CalendarOverlay> {
  for (const { instructor_id, change } of assumed) {
    if (!(await hasInstructor(db, tenantId, instructor_id))) throw notFound()
    await requireReferences(db, tenantId, change)
  }
  return ({ of: stored, ...calendars }) => {
    const of = new Map(stored)
    for (const { instructor_id, change } of assumed) {
      const calendar = stored.get(instructor_id.toLowerCase())
      if (!calendar?.rules) continue
      const { license_classes = calendar.license_classes } = change
      of.set(calendar.id, {
        ...calendar,
        assumed: { ...calendar.rules, ...asStored(change) },
        license_classes,
      })
    }
    return { ...calendars, of }
  }
}
