import type { Actor } from '../contract/actor.ts'
import type { Appointment, AppointmentChange } from '../contract/appointment.ts'
import type { UserRole } from '../contract/auth.ts'
import type { Resource } from '../contract/change.ts'
import { notFound, Problem } from '../contract/problem.ts'
import type { ScheduleRequest, ScheduleRequestChange } from '../contract/schedule-request.ts'

/** The extent of a permission: the whole school, the instructor's own, or nothing. */
type Extent = 'all' | 'own' | 'none'

/** The permission that a request needs. Every route names one. */
export type Permission = keyof typeof POLICY

const POLICY = {
  //                      owner   office  instructor
  be_oneself: /*       */ ['all', 'all', 'all'],
  see_the_catalogue: /**/ ['all', 'all', 'all'],
  look: /*             */ ['all', 'all', 'own'],
  note_outcomes: /*    */ ['all', 'all', 'own'],
  share_a_calendar: /* */ ['all', 'all', 'own'],
  ask_the_office: /*   */ ['all', 'all', 'own'],
  plan: /*             */ ['all', 'all', 'none'],
  see_history: /*      */ ['all', 'all', 'none'],
  run_the_school: /*   */ ['all', 'none', 'none'],
} as const satisfies Readonly<Record<string, readonly [Extent, Extent, Extent]>>

const COLUMNS: Readonly<Record<UserRole, 0 | 1 | 2>> = { owner: 0, office: 1, instructor: 2 }

/** The fields that instructors write on their own lessons: how it went, not when, where and with whom it is. */
const NOTED_FIELDS: ReadonlySet<string> = new Set([
  'status',
  'notes',
  'practised',
  'actual_start_at',
  'actual_end_at',
])
const OUTCOMES: readonly string[] = ['planned', 'completed', 'no_show']

/** Throws `forbidden` if the role may not do it at all. */
export function requirePermission(role: UserRole, permission: Permission): void {
  if (POLICY[permission][COLUMNS[role]] === 'none') throw new Problem('forbidden')
}

/** The log of users, which has their addresses and roles, is the owners': what of it the actor does not read. */
export function hiddenFrom({ role }: Pick<Actor, 'role'>): { readonly hidden?: Resource } {
  return role === 'owner' || role === 'operator' ? {} : { hidden: 'user' }
}

/** Returns the instructor whose lessons and students are all that the actor sees, or {} if the actor sees the whole school. */
export function ownOf({ role, instructor_id }: Actor): { readonly own?: string } {
  if (role !== 'instructor') return {}
  if (instructor_id === null) throw new Problem('forbidden')
  return { own: instructor_id }
}

/** The lesson, or whatever else is an instructor's, if the actor may see it: that of another is 404 to an instructor. */
export function visibleTo<Thing extends Pick<Appointment, 'instructor_id'>>(
  actor: Actor,
  thing: Thing,
): Thing {
  const { own = thing.instructor_id } = ownOf(actor)
  if (thing.instructor_id !== own) throw notFound()
  return thing
}

/** Throws `not_found` for another's request, and `forbidden` for a decision that is the office's. */
export function requireDecisionPermission(
  actor: Actor,
  stored: ScheduleRequest,
  { status, answer }: ScheduleRequestChange,
): void {
  if (actor.role !== 'instructor') return
  visibleTo(actor, stored)
  if (answer !== undefined || (status !== undefined && status !== 'withdrawn')) throw new Problem('forbidden')
}

/** The resources of which a role may undo changes, if it may write them. */
const UNDONE_BY = {
  appointment: 'note_outcomes',
  student: 'plan',
  instructor: 'plan',
  vehicle: 'plan',
  tenant: 'run_the_school',
  lesson_type: 'run_the_school',
  closure: 'plan',
} as const satisfies Readonly<Record<string, Permission>>

/** Throws `forbidden` unless the actor's role may write each of the resources; `not_found` for those an instructor does not see. */
export function requireUndoPermission(actor: Actor, resources: ReadonlySet<Resource>): void {
  const { role } = actor
  if (role === 'operator') return
  if (role === 'instructor' && [...resources].some((one) => one !== 'appointment')) throw notFound()
  for (const resource of resources)
    if (resource in UNDONE_BY) requirePermission(role, UNDONE_BY[resource as keyof typeof UNDONE_BY])
}

/** Throws `not_found` for another's lesson, and `forbidden` for what the actor may not change of an own one. */
export function requireChangePermission(
  actor: Actor,
  stored: Pick<Appointment, 'instructor_id' | 'status'>,
  change: AppointmentChange,
): void {
  if (actor.role !== 'instructor') return
  visibleTo(actor, stored)
  const isNoted = Object.keys(change).every((field) => NOTED_FIELDS.has(field))
  const { status = stored.status } = change
  const isOutcome =
    status === stored.status || (OUTCOMES.includes(status) && OUTCOMES.includes(stored.status))
  if (!isNoted || !isOutcome) throw new Problem('forbidden')
}
