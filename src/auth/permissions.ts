import type { Actor } from '../contract/actor.ts'
import type { ApiTokenScope } from '../contract/api-token.ts'
import type { Appointment, AppointmentChange } from '../contract/appointment.ts'
import type { UserRole } from '../contract/auth.ts'
import type { Resource } from '../contract/change.ts'
import { notFound, Problem } from '../contract/problem.ts'
import type { ScheduleRequest, ScheduleRequestChange } from '../contract/schedule-request.ts'
import type { Tenant } from '../contract/tenant.ts'
import { OUTCOME_FIELDS } from '../domain/appointment-fields.ts'
import { hasSameStudents } from '../domain/group.ts'

/** The extent of a permission: the whole school, the instructor's own data, or nothing. */
type Extent = 'all' | 'own' | 'none'

export type Permission = keyof typeof POLICY

const POLICY = {
  //                      owner   office  instructor
  be_oneself: /*       */ ['all', 'all', 'all'],
  keep_an_account: /*  */ ['all', 'all', 'all'],
  see_the_catalogue: /**/ ['all', 'all', 'all'],
  look: /*             */ ['all', 'all', 'own'],
  note_outcomes: /*    */ ['all', 'all', 'own'],
  share_a_calendar: /* */ ['all', 'all', 'own'],
  ask_the_office: /*   */ ['all', 'all', 'own'],
  book: /*             */ ['all', 'all', 'own'],
  plan: /*             */ ['all', 'all', 'none'],
  see_history: /*      */ ['all', 'all', 'none'],
  run_the_school: /*   */ ['all', 'none', 'none'],
  admit_users: /*      */ ['all', 'none', 'none'],
} as const satisfies Readonly<Record<string, readonly [Extent, Extent, Extent]>>

/** The permissions that no API token has: a stolen one could otherwise make another token or a login. */
const OF_PEOPLE: ReadonlySet<Permission> = new Set(['keep_an_account', 'admit_users'])

const COLUMNS: Readonly<Record<UserRole, 0 | 1 | 2>> = { owner: 0, office: 1, instructor: 2 }

/** The fields that instructors may always change on their own lessons; the fee of a no-show only by undoing it. */
const NOTED_FIELDS: ReadonlySet<string> = new Set([...OUTCOME_FIELDS, 'no_show_fee_percent'])
const OUTCOMES: readonly string[] = ['planned', 'completed', 'no_show']

/** Throws `forbidden` if the role lacks the permission, or if an instructor books and the school does not allow it. */
export function requirePermission(
  { role, tenant }: { readonly role: UserRole; readonly tenant: Pick<Tenant, 'instructors_may'> },
  permission: Permission,
): void {
  const extent = POLICY[permission][COLUMNS[role]]
  const isClosed = permission === 'book' && extent === 'own' && tenant.instructors_may === 'nothing'
  if (extent === 'none' || isClosed) throw new Problem('forbidden')
}

/** Throws `insufficient_scope` if the scope of an API token does not allow a route. */
export function requireScope(scope: ApiTokenScope, permission: Permission, isReading: boolean): void {
  if (OF_PEOPLE.has(permission))
    throw new Problem('insufficient_scope', { params: { scope, needs: 'login' } })
  if (scope === 'read' && !isReading)
    throw new Problem('insufficient_scope', { params: { scope, needs: 'write' } })
}

/** Returns the log entries hidden from an actor: only owners see entries about users, with addresses and roles. */
export function hiddenFrom({ role }: Pick<Actor, 'role'>): { readonly hidden?: Resource } {
  return role === 'owner' || role === 'operator' ? {} : { hidden: 'user' }
}

/** Returns the instructor to whose data the actor is limited, or {} for the whole school. */
export function ownOf({ role, instructor_id }: Actor): { readonly own?: string } {
  if (role !== 'instructor') return {}
  if (instructor_id === null) throw new Problem('forbidden')
  return { own: instructor_id }
}

/** Returns the filter for the students whom the actor may see: instructors see those of their lessons and those they may book. */
export function seenStudentsOf(actor: Actor): { readonly own?: string; readonly withPreferring?: true } {
  const own = ownOf(actor)
  const { instructors_may } = actor.tenant
  if (own.own === undefined || instructors_may === 'any_student') return {}
  return instructors_may === 'nothing' ? own : { ...own, withPreferring: true }
}

/** Returns the row if the actor may see it. Throws `not_found` for another instructor's. */
export function visibleTo<Thing extends Pick<Appointment, 'instructor_id'>>(
  actor: Actor,
  thing: Thing,
): Thing {
  const { own = thing.instructor_id } = ownOf(actor)
  if (thing.instructor_id !== own) throw notFound()
  return thing
}

/** Throws `not_found` for another instructor's request, `forbidden` if an instructor decides in place of the office. */
export function requireDecisionPermission(
  actor: Actor,
  stored: ScheduleRequest,
  { status, answer }: ScheduleRequestChange,
): void {
  if (actor.role !== 'instructor') return
  visibleTo(actor, stored)
  if (answer !== undefined || (status !== undefined && status !== 'withdrawn')) throw new Problem('forbidden')
}

/** The permission needed to undo changes of each resource. */
const UNDONE_BY = {
  appointment: 'note_outcomes',
  student: 'plan',
  enrolment: 'plan',
  tick: 'plan',
  instructor: 'plan',
  vehicle: 'plan',
  location: 'plan',
  tenant: 'run_the_school',
  lesson_type: 'run_the_school',
  closure: 'plan',
  wish: 'plan',
  availability: 'plan',
  offer: 'plan',
  plan: 'plan',
  enquiry: 'plan',
} as const satisfies Readonly<Record<string, Permission>>

/** Throws `forbidden` unless the role may undo each resource, `not_found` if an instructor may not see one. */
export function requireUndoPermission(actor: Actor, resources: ReadonlySet<Resource>): void {
  const { role, tenant } = actor
  if (role === 'operator') return
  if (role === 'instructor' && [...resources].some((one) => one !== 'appointment')) throw notFound()
  for (const resource of resources)
    if (resource in UNDONE_BY)
      requirePermission({ role, tenant }, UNDONE_BY[resource as keyof typeof UNDONE_BY])
}

/**
 * Throws `not_found` for another instructor's lesson, `forbidden` for fields that the actor may not change.
 * `requireOwnBooking` checks the new instructor and student of a lesson.
 */
export function requireChangePermission(
  actor: Actor,
  stored: Pick<Appointment, 'instructor_id' | 'status' | 'attendees'>,
  change: AppointmentChange,
): void {
  if (actor.role !== 'instructor') return
  visibleTo(actor, stored)
  if (actor.tenant.instructors_may !== 'nothing') return
  const marksOnly = change.attendees !== undefined && hasSameStudents(stored.attendees, change.attendees)
  const isNoted = Object.keys(change).every(
    (field) => NOTED_FIELDS.has(field) || (field === 'attendees' && marksOnly),
  )
  const { status = stored.status } = change
  const isOutcome =
    status === stored.status || (OUTCOMES.includes(status) && OUTCOMES.includes(stored.status))
  if (!isNoted || !isOutcome) throw new Problem('forbidden')
}
