import type { AbsenceRequest } from '../../contract/absence-plan.ts'
import type { Actor } from '../../contract/actor.ts'
import type { NewClosure } from '../../contract/closure.ts'
import type { InstructorChange } from '../../contract/instructor.ts'
import { invalidRequest, notFound } from '../../contract/problem.ts'
import {
  type AffectedQuery,
  listAffectedAppointments,
  lockAffectedAppointments,
} from '../../db/appointments/affected-appointments.ts'
import {
  listStoredAppointments,
  lockAppointments,
  type StoredAppointment,
} from '../../db/appointments/appointments.ts'
import type { CalendarOverlay } from '../../db/calendars/agendas.ts'
import type { Calendars } from '../../db/calendars/calendars.ts'
import { updateRow } from '../../db/resource-rows.ts'
import type { Database, Transaction } from '../../db/schema/tables.ts'
import { lockSchool } from '../../db/school/closures.ts'
import { requireInstructor } from '../../db/school/instructors.ts'
import {
  findStoredVehicle,
  listSubstituteIds,
  type StoredVehicle,
  VEHICLES,
} from '../../db/school/vehicles.ts'
import { type AbsenceLists, absencesWith, absenceTimesFor, listsWith } from '../../domain/absence-period.ts'
import type { InstructorRules, ThingRules } from '../../domain/agenda.ts'
import { LAST_MINUTE, type LocalDateTime } from '../../domain/local-time.ts'
import { MAX_ABSENCES, MAX_VACATIONS } from '../../domain/ranges.ts'
import { localNow } from '../../domain/time-zone.ts'
import { type ExpectedVersion, requireExpected } from '../expected-version.ts'
import { insertNew } from '../managed-resource.ts'
import { asStored, changeLockedInstructor, changeSeenInstructor } from '../school/change-instructor.ts'
import { MANAGED_CLOSURES } from '../school/closures.ts'
import type { TimeSlicer } from '../time-slicer.ts'
import { affectedByChange } from './instructor-impact.ts'

/** A change that some lessons cannot stay under. The plan of these lessons and its decisions are the same for all causes. */
export type PlanCause = {
  readonly calendarIds: readonly string[]
  /** The time at which it ends; undefined if it does not. Lessons can be moved to some weeks later. */
  readonly end_at?: LocalDateTime
  readonly allowsOthers: boolean
  /** The start of an absence for which lessons of others may be moved. */
  readonly start_at?: LocalDateTime
  readonly vehicle_id?: string
  /** Lists the planned lessons that it affects. Throws `not_found`. */
  readonly list: (db: Database, actor: Actor, slicer: TimeSlicer) => Promise<readonly StoredAppointment[]>
  readonly substituteIds?: (db: Database, tenantId: string) => Promise<readonly string[]>
  readonly overlay: CalendarOverlay
  /** Takes the locks that come before those of calendars. Returns further calendars to lock. */
  readonly lockFirst?: (db: Transaction, tenantId: string) => Promise<readonly string[]>
  readonly lock: (db: Transaction, actor: Actor, slicer: TimeSlicer) => Promise<readonly StoredAppointment[]>
  readonly store: (db: Transaction, actor: Actor) => Promise<void>
}

export function instructorAbsence(id: string, period: AbsenceRequest): PlanCause {
  const question = { instructor_id: id, ...absenceTimesFor(period) }
  return {
    ...affectedBy(
      () => question,
      (db, tenantId) => requireInstructor(db, tenantId, id),
    ),
    calendarIds: [id],
    start_at: question.start_at,
    end_at: question.end_at,
    allowsOthers: true,
    overlay: (calendars) => withRules(calendars, id, (rules) => ({ ...rules, ...listsWith(rules, period) })),
    store: async (db, actor) => {
      const instructor = await requireInstructor(db, actor.tenant.id, id)
      const lists = listsWith(instructor, period)
      requireRoom(lists)
      const { vacations, absences } = lists
      await changeLockedInstructor(db, actor, instructor, {
        vacations: [...vacations],
        absences: [...absences],
      })
    },
  }
}

export function vehicleAbsence(id: string, period: AbsenceRequest): PlanCause {
  const times = absenceTimesFor(period)
  return {
    ...withoutVehicle(id, ({ absences }) => ({ absences: [...absences, times] })),
    ...affectedBy(
      () => ({ vehicle_id: id, ...times }),
      (db, tenantId) => requireVehicle(db, tenantId, id),
    ),
    end_at: times.end_at,
    store: async (db, actor) => {
      const stored = await requireVehicle(db, actor.tenant.id, id)
      const absences = [...absencesWith(stored.absences, period)]
      if (absences.length > MAX_ABSENCES) throw tooMany(`A vehicle has at most ${MAX_ABSENCES} absences.`)
      await updateRow(db, actor, VEHICLES, { stored, next: { ...stored, absences } })
    },
  }
}

export function vehicleRetirement(id: string, isExpected: ExpectedVersion = () => true): PlanCause {
  return {
    ...withoutVehicle(id, () => ({ active: false })),
    ...affectedBy(
      ({ tenant, now }) => ({
        vehicle_id: id,
        start_at: localNow(now, tenant.timezone),
        end_at: LAST_MINUTE,
      }),
      (db, tenantId) => requireVehicle(db, tenantId, id),
    ),
    store: async (db, actor) => {
      const stored = await requireVehicle(db, actor.tenant.id, id)
      requireExpected(isExpected, stored)
      await updateRow(db, actor, VEHICLES, { stored, next: { ...stored, active: false } })
    },
  }
}

async function requireVehicle(db: Database, tenantId: string, id: string): Promise<StoredVehicle> {
  const vehicle = await findStoredVehicle(db, tenantId, id)
  if (!vehicle || vehicle.deleted) throw notFound()
  return vehicle
}

function withoutVehicle(
  id: string,
  changed: (rules: ThingRules) => Partial<ThingRules>,
): Pick<PlanCause, 'calendarIds' | 'allowsOthers' | 'vehicle_id' | 'substituteIds' | 'overlay'> {
  return {
    calendarIds: [id],
    allowsOthers: false,
    vehicle_id: id,
    substituteIds: async (db, tenantId) =>
      listSubstituteIds(db, tenantId, await requireVehicle(db, tenantId, id)),
    overlay: ({ of, ...calendars }) => {
      const calendar = of.get(id)
      if (!calendar?.thing) return { of, ...calendars }
      const thing = { ...calendar.thing, ...changed(calendar.thing) }
      return { ...calendars, of: new Map([...of, [id, { ...calendar, thing }]]) }
    },
  }
}

export function schoolClosure({ start_date, end_date, note = null }: NewClosure): PlanCause {
  const closure = { start_date, end_date, note }
  const question = absenceTimesFor(closure)
  return {
    ...affectedBy(() => question),
    calendarIds: [],
    end_at: question.end_at,
    allowsOthers: false,
    overlay: (calendars) => ({ ...calendars, closures: [...calendars.closures, closure] }),
    lockFirst: lockSchool,
    store: async (db, actor) => {
      await insertNew(db, actor, MANAGED_CLOSURES, closure)
    },
  }
}

/** Other hours, limits or breaks of an instructor, as `PATCH /instructors/{id}` takes them. */
export function instructorChange(
  id: string,
  change: InstructorChange,
  isExpected: ExpectedVersion = () => true,
): PlanCause {
  const affectedIds = async (db: Database, actor: Actor, slicer: TimeSlicer) => {
    const { affected } = await affectedByChange(db, actor, { id, change }, slicer)
    return affected.flatMap((one) => (one.isSufficient ? one.id : []))
  }
  return {
    calendarIds: [id],
    allowsOthers: true,
    list: async (db, actor, slicer) =>
      plannedOf(await listStoredAppointments(db, actor.tenant.id, await affectedIds(db, actor, slicer))),
    overlay: (calendars) => withRules(calendars, id, (rules) => ({ ...rules, ...asStored(change) })),
    lock: async (db, actor, slicer) =>
      plannedOf(await lockAppointments(db, actor.tenant.id, await affectedIds(db, actor, slicer))),
    store: async (db, actor) => {
      const stored = await requireInstructor(db, actor.tenant.id, id)
      await changeSeenInstructor(db, actor, stored, { change, isExpected })
    },
  }
}

function affectedBy(
  queryFor: (actor: Actor) => AffectedQuery,
  require?: (db: Database, tenantId: string) => Promise<unknown>,
): Pick<PlanCause, 'list' | 'lock'> {
  return {
    list: async (db, actor) => {
      await require?.(db, actor.tenant.id)
      return listAffectedAppointments(db, actor.tenant.id, queryFor(actor))
    },
    lock: async (db, actor) => {
      await require?.(db, actor.tenant.id)
      return lockAffectedAppointments(db, actor.tenant.id, queryFor(actor))
    },
  }
}

function plannedOf(lessons: readonly StoredAppointment[]): readonly StoredAppointment[] {
  return lessons
    .filter(({ status, deleted }) => status === 'planned' && !deleted)
    .toSorted((a, b) =>
      a.start_at === b.start_at ? (a.id < b.id ? -1 : 1) : a.start_at < b.start_at ? -1 : 1,
    )
}

function withRules(
  { of, ...calendars }: Calendars,
  id: string,
  changed: (rules: InstructorRules) => InstructorRules,
): Calendars {
  const calendar = of.get(id)
  if (!calendar?.rules) return { of, ...calendars }
  return { ...calendars, of: new Map([...of, [id, { ...calendar, rules: changed(calendar.rules) }]]) }
}

function requireRoom({ vacations, absences }: AbsenceLists): void {
  if (vacations.length <= MAX_VACATIONS && absences.length <= MAX_ABSENCES) return
  throw tooMany(`An instructor has at most ${MAX_VACATIONS} vacations and ${MAX_ABSENCES} absences.`)
}

function tooMany(detail: string) {
  return invalidRequest([{ pointer: '/start_date', code: 'too_many', detail }])
}
