import type { Closure, NewClosure } from '../../contract/closure.ts'
import { countRows } from '../../db/resource-rows.ts'
import { CLOSURES, lockInstructorCalendars } from '../../db/school/closures.ts'
import { MAX_CLOSURES } from '../../domain/ranges.ts'
import { adding, deleting, type ManagedResource } from '../managed-resource.ts'

export const MANAGED_CLOSURES: ManagedResource<Closure> = {
  rows: CLOSURES,
  lock: (db, { tenant }) => lockInstructorCalendars(db, tenant.id),
  limit: {
    detail: `A school has at most ${MAX_CLOSURES} closures: delete those that are over, or join days into one.`,
    isReached: async (db, { tenant }) => (await countRows(db, tenant.id, CLOSURES)) >= MAX_CLOSURES,
  },
}

export const closeSchool = adding<Closure, NewClosure>(MANAGED_CLOSURES)
export const deleteClosure = deleting(MANAGED_CLOSURES)
