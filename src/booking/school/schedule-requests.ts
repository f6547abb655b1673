import { ownOf, requireDecisionPermission } from '../../auth/permissions.ts'
import type { Actor } from '../../contract/actor.ts'
import type { Instructor } from '../../contract/instructor.ts'
import { newId } from '../../contract/new-id.ts'
import { invalidRequest, notFound, Problem } from '../../contract/problem.ts'
import type {
  NewScheduleRequest,
  ScheduleRequest,
  ScheduleRequestChange,
} from '../../contract/schedule-request.ts'
import type { DatabasePool } from '../../db/connection/pool.ts'
import { inTransaction } from '../../db/connection/transaction.ts'
import type { IdempotencyKey } from '../../db/idempotency-keys.ts'
import { insertRow, updateRow } from '../../db/resource-rows.ts'
import type { Transaction } from '../../db/schema/tables.ts'
import { requireInstructor, updateInstructor } from '../../db/school/instructors.ts'
import { lockScheduleRequest, SCHEDULE_REQUESTS } from '../../db/school/schedule-requests.ts'
import { vacationsWith } from '../../domain/absence-period.ts'
import { MAX_VACATIONS } from '../../domain/ranges.ts'
import { hoursOnceAccepted } from '../../domain/requested-hours.ts'
import { type Intent, requireExpected } from '../expected-version.ts'
import { commitOnce } from '../idempotent.ts'
import { lockInstructor, storedWindows } from './change-instructor.ts'

/** Requests days off or other hours from the office. Throws `not_found` for an instructor whom the actor may not see. */
export async function createScheduleRequest(
  database: DatabasePool,
  actor: Actor,
  { availability_windows: windows, ...given }: NewScheduleRequest,
  key?: IdempotencyKey,
): Promise<ScheduleRequest> {
  const { own = given.instructor_id } = ownOf(actor)
  if (own !== given.instructor_id) throw notFound()
  const request = {
    start_date: null,
    end_date: null,
    note: null,
    ...given,
    id: newId(),
    availability_windows: windows ? storedWindows(windows) : null,
    status: 'open' as const,
    answer: null,
  }
  return inTransaction(database, async (db, commitWith) => {
    const instructor = await requireInstructor(db, actor.tenant.id, given.instructor_id)
    const windows_before = windows ? storedWindows(instructor.availability_windows) : null
    const stored = insertRow(db, actor, SCHEDULE_REQUESTS, { ...request, windows_before })
    return commitOnce({ db, actor, commitWith }, key, stored)
  })
}

/**
 * Accepts, declines or withdraws an open request; acceptance changes the instructor. Repeating a decision changes nothing.
 * Throws `not_found`, `forbidden`, `stale`, `already_decided`, and `invalid_request` if the instructor would have too many
 * vacations.
 */
export async function decideScheduleRequest(
  database: DatabasePool,
  actor: Actor,
  id: string,
  { change, isExpected }: Intent<ScheduleRequestChange>,
): Promise<ScheduleRequest> {
  return inTransaction(database, async (db) => {
    const stored = await lockScheduleRequest(db, actor.tenant.id, id)
    requireDecisionPermission(actor, stored, change)
    requireExpected(isExpected, stored)
    const { status = stored.status, answer = stored.answer } = change
    const isSame = status === stored.status && answer === stored.answer
    if (isSame) return stored
    if (stored.status !== 'open') throw new Problem('already_decided', { params: { status: stored.status } })
    if (status === 'accepted') await grant(db, actor, stored)
    return updateRow(db, actor, SCHEDULE_REQUESTS, { stored, next: { ...stored, status, answer } })
  })
}

async function grant(db: Transaction, actor: Actor, request: ScheduleRequest): Promise<void> {
  const stored = await lockInstructor(db, actor, request.instructor_id)
  await updateInstructor(db, actor, { stored, next: { ...stored, ...grantedTo(stored, request) } })
}

function grantedTo(
  { vacations, availability_windows: now }: Instructor,
  { start_date, end_date, availability_windows, windows_before, note }: ScheduleRequest,
): Partial<Instructor> {
  if (availability_windows !== null) {
    const hours = hoursOnceAccepted(now, { windows_before, availability_windows })
    return { availability_windows: storedWindows(hours) }
  }
  if (start_date === null || end_date === null) return {}
  // The office may already have recorded the days.
  const granted = vacationsWith(vacations, { start_date, end_date, note })
  if (granted.length <= MAX_VACATIONS) return { vacations: [...granted] }
  const detail = `The instructor has ${MAX_VACATIONS} vacations already; delete past ones.`
  throw invalidRequest([{ pointer: '/status', code: 'out_of_range', detail }])
}
