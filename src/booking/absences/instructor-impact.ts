import { NIL } from 'uuid'
import type { Actor } from '../../contract/actor.ts'
import type { Impact } from '../../contract/impact.ts'
import type { InstructorChange } from '../../contract/instructor.ts'
import { notFound } from '../../contract/problem.ts'
import { listChosenAppointments } from '../../db/appointments/appointments.ts'
import { loadCalendars } from '../../db/calendars/calendars.ts'
import type { Database } from '../../db/schema/tables.ts'
import type { CountedAppointment } from '../../domain/agenda.ts'
import {
  type AffectedAppointment,
  type Impact as Computed,
  impactOf,
  type RuleChange,
} from '../../domain/impact.ts'
import { type Interval, intervalOf } from '../../domain/interval.ts'
import { dayOf, type LocalDateTime, midnightOf } from '../../domain/local-time.ts'
import { occupantsOf } from '../../domain/occupants.ts'
import { containsStretch, readUntilComplete, surroundingsOf } from '../../domain/surroundings.ts'
import { localNow } from '../../domain/time-zone.ts'
import { asStored, requireReferences } from '../school/change-instructor.ts'
import type { TimeSlicer } from '../time-slicer.ts'

const END_OF_TIME = midnightOf(dayOf('2100-01-02'))

/** The appointments per page: few, because other requests wait while a page is read and sent. */
const PAGE_SIZE = 250

export type PagedImpact = {
  readonly checked: number
  readonly pages: readonly (() => Promise<Impact['appointments']>)[]
}

type Asking = { readonly id: string; readonly change: InstructorChange }

/** Finds coming appointments that would break a rule only after the change. Writes nothing. Throws `not_found`. */
export async function impactOfChange(
  db: Database,
  actor: Actor,
  { id, change, isSufficient = false }: Asking & { readonly isSufficient?: boolean | undefined },
  slicer: TimeSlicer,
): Promise<PagedImpact> {
  const found = await affectedByChange(db, actor, { id, change }, slicer)
  const affected = isSufficient ? found.affected.filter((one) => one.isSufficient) : found.affected
  const count = Math.ceil(affected.length / PAGE_SIZE)
  const pages = Array.from({ length: count }, (_, page) => {
    const some = affected.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE)
    return () => appointmentsOf(db, actor.tenant.id, id, some)
  })
  return { checked: found.checked, pages }
}

export async function affectedByChange(
  db: Database,
  { tenant, now }: Actor,
  { id, change }: Asking,
  slicer: TimeSlicer,
): Promise<Computed> {
  await requireReferences(db, tenant.id, change)
  const localTime = localNow(now, tenant.timezone)
  const loaded = await loadChange(db, { tenant, now: localTime, slicer }, id, change)
  return slicer.run(impactOf(loaded, localTime))
}

async function appointmentsOf(
  db: Database,
  tenantId: string,
  instructor_id: string,
  affected: readonly AffectedAppointment[],
) {
  const [first, last] = [affected[0]?.start_at, affected.at(-1)?.start_at]
  if (first === undefined || last === undefined) return []
  const refusals = new Map(affected.map((one) => [one.id, one.refusals]))
  const ids = [...refusals.keys()]
  const rows = await listChosenAppointments(db, tenantId, { instructor_id, ids, first, last })
  return rows.map((appointment) => ({
    appointment,
    refusals: [...(refusals.get(appointment.id) ?? [])],
  }))
}

type ImpactScope = {
  readonly tenant: Actor['tenant']
  readonly now: LocalDateTime
  readonly slicer: TimeSlicer
}

async function loadChange(
  db: Database,
  { tenant, now, slicer }: ImpactScope,
  id: string,
  given: InstructorChange,
): Promise<RuleChange> {
  const present = intervalOf({ start_at: now, end_at: now })
  const request = { occupants: occupantsOf({ instructor_id: id }), lesson_type_id: null, except: NIL, now }
  const read = async (range: Interval): Promise<RuleChange> => {
    const calendars = await loadCalendars(db, tenant, { ...request, range }, (steps) => slicer.run(steps))
    const { rules, appointments = [] } = calendars.of.get(id) ?? {}
    if (!rules) throw notFound()
    const after = { ...rules, ...asStored(given) }
    return { unit_minutes: tenant.unit_minutes, before: rules, after, appointments }
  }
  return readUntilComplete(
    { start: surroundingsOf(present).start, end: END_OF_TIME },
    read,
    (change, { start }) => holdsFirstStretch(change, now, { start, end: Number.POSITIVE_INFINITY }),
    ({ start, end }) => ({ start: start - (present.start - start), end }),
  )
}

function holdsFirstStretch(change: RuleChange, now: LocalDateTime, surroundings: Interval): boolean {
  const { unit_minutes, before, after, appointments } = change
  let first: CountedAppointment | undefined
  for (const one of appointments)
    if (one.start_at > now && !(first && first.start_at <= one.start_at)) first = one
  const upToFirst = appointments.filter(({ start_at }) => first && start_at <= first.start_at)
  const occupied = [{ kind: 'instructor' as const, id: before.id, appointments: upToFirst }]
  return [before, after].every(
    (instructor) => !first || containsStretch({ unit_minutes, instructor, occupied }, first, surroundings),
  )
}
