import { ownOf, visibleTo } from '../../auth/permissions.ts'
import type { Actor } from '../../contract/actor.ts'
import type { Assumed } from '../../contract/assumed.ts'
import { notFound } from '../../contract/problem.ts'
import type { Slot } from '../../contract/slot.ts'
import { readFleet } from '../../db/appointments/fleet.ts'
import { type AgendasRequest, type LoadedAgendas, requireAgendas } from '../../db/calendars/agendas.ts'
import type { Calendar } from '../../db/calendars/calendar-rows.ts'
import type { Database } from '../../db/schema/tables.ts'
import type { DailyAgenda } from '../../domain/daily-agenda.ts'
import { darknessFor } from '../../domain/daylight.ts'
import type { SlotCriteria } from '../../domain/free-intervals.ts'
import type { Interval } from '../../domain/interval.ts'
import { type LocalDateTime, minuteOf } from '../../domain/local-time.ts'
import { OCCUPANTS, type Occupant, type Occupying, occupantsOf } from '../../domain/occupants.ts'
import {
  type FoundSlot,
  firstSlots,
  PREFERRED,
  rankOf,
  type SlotSearch,
  type SlotSieve,
} from '../../domain/slots.ts'
import type { Steps } from '../../domain/steps.ts'
import { surroundingsOf } from '../../domain/surroundings.ts'
import { localNow } from '../../domain/time-zone.ts'
import { teachesClassOf, warningsFor } from '../../domain/warnings.ts'
import { examLawOf } from '../packs/packs.ts'
import type { TimeSlicer } from '../time-slicer.ts'
import { requireAssumed } from './assumed-rules.ts'
import { requireAppointment } from './change-appointment.ts'
import { requireOwnBooking } from './own-bookings.ts'

/** These vehicles, any of a kind, or the usual ones of each instructor with others beside them. */
type VehicleChoice =
  | { readonly ids: readonly string[] }
  | { readonly kind: string | undefined }
  | { readonly beside: readonly string[] }

export type SlotQuery = Pick<AgendasRequest, 'instructor_ids' | 'lesson_type_id'> &
  Omit<SlotCriteria, 'minutes' | 'counts_toward_limits' | 'timezone' | 'darkness'> & {
    /** The length, or undefined for the default of the lesson type, which is then required. */
    readonly minutes: number | undefined
    readonly student_id: string | null
    readonly vehicles: VehicleChoice | undefined
    readonly appointment_id: string | undefined
    readonly enrolment_id?: string | undefined
    readonly order: 'time' | 'fit'
    readonly assumed?: Assumed | undefined
  }

export type SlotMark = {
  readonly fit: number
  readonly start_at: LocalDateTime
  readonly instructor_id: string
}

type Page = {
  readonly after: SlotMark | undefined
  readonly limit: number
  readonly sieve?: SlotSieve
  readonly slicer: TimeSlicer
}

export type SlotPage = { readonly slots: readonly Slot[]; readonly last: SlotMark | undefined }

/** Searches for times that booking accepts: with the named instructors, or all active ones of the class. Throws `not_found`. */
export async function findSlots(db: Database, actor: Actor, query: SlotQuery, page: Page): Promise<SlotPage> {
  return slotsAmong(await loadForSlots(db, actor, query, page.slicer), actor, query, page)
}

/** Loads the calendars for searches that differ only in hours, weekdays, order and length. Throws `not_found`. */
export async function loadForSlots(
  db: Database,
  actor: Actor,
  query: SlotQuery,
  slicer: TimeSlicer,
): Promise<LoadedAgendas> {
  const { appointment_id: except, lesson_type_id } = query
  const moved =
    except === undefined ? undefined : visibleTo(actor, await requireAppointment(db, actor.tenant.id, except))
  const isOfMoved = moved !== undefined && query.student_id === null
  const { student_id = null, attendees }: Occupying = isOfMoved ? moved : query
  const { own } = ownOf(actor)
  const instructor_ids = query.instructor_ids ?? (own === undefined ? undefined : [own])
  for (const instructor_id of instructor_ids ?? [undefined])
    await requireOwnBooking(db, actor, { instructor_id, student_id: query.student_id })
  const range = surroundingsOfRange(query.range)
  const overlay = query.assumed && (await requireAssumed(db, actor.tenant.id, query.assumed))
  const asked = { ...query, student_id, instructor_ids }
  const { vehicle_ids, anyVehicle, thingsWith } = await vehiclesAsked(db, actor, asked)
  const lesson = { student_id, attendees, vehicle_ids }
  const ofMoved = moved?.student_id === student_id ? (moved.enrolment_id ?? undefined) : undefined
  const { enrolment_id = ofMoved } = query
  const request = { instructor_ids, lesson, lesson_type_id, anyVehicle, range, overlay, except, enrolment_id }
  const found = await requireAgendas(db, actor, request, (steps) => slicer.run(steps))
  const loaded = { ...found, thingsWith, usesThings: found.usesThings || thingsWith !== undefined }
  const isDeleted = loaded.learner?.deleted && !isOfMoved
  const isForeign = query.enrolment_id !== undefined && loaded.learner?.enrolment_id !== query.enrolment_id
  if (isDeleted || isForeign || choosesDeleted(loaded, moved)) throw notFound()
  return loaded
}

export async function slotsAmong(
  loaded: LoadedAgendas,
  actor: Actor,
  query: SlotQuery,
  { limit, ...page }: Page,
): Promise<SlotPage> {
  const found = await foundAmong(loaded, actor, query, { ...page, limit: limit + 1 })
  const slots = found.slice(0, limit).map((one) => slotOf(one, loaded, actor))
  const last = found.length > limit ? slots.at(-1) : undefined
  const fit = found[limit - 1]?.fit ?? 0
  return { slots, last: last && { fit, start_at: last.start_at, instructor_id: last.instructor_id } }
}

export async function foundAmong(
  loaded: LoadedAgendas,
  actor: Actor,
  query: SlotQuery,
  { after, limit, sieve, slicer }: Page,
): Promise<readonly FoundSlot[]> {
  const criteria = criteriaFor(query, loaded, actor)
  const search = await slicer.run(searchIn(loaded, criteria, query.instructor_ids !== undefined))
  const order = { by: query.order, shortest_minutes: loaded.shortest_minutes }
  const position = after && {
    fit: after.fit,
    start: minuteOf(after.start_at),
    place: rankOf(after.instructor_id, search),
  }
  return slicer.run(firstSlots(search, order, { after: position, limit, sieve }))
}

type VehicleRequest = Pick<AgendasRequest, 'anyVehicle'> &
  Pick<LoadedAgendas, 'thingsWith'> &
  Pick<Occupying, 'vehicle_ids'>

async function vehiclesAsked(
  db: Database,
  { tenant }: Actor,
  { vehicles, instructor_ids, lesson_type_id, student_id }: Omit<SlotQuery, 'assumed'>,
): Promise<VehicleRequest> {
  if (!vehicles) return {}
  if ('kind' in vehicles) return { anyVehicle: vehicles }
  if ('ids' in vehicles) return { vehicle_ids: vehicles.ids }
  const { beside } = vehicles
  const fleet = await readFleet(db, tenant.id, [student_id])
  if (fleet.isEmpty && beside.length === 0) return {}
  const lessonOf = (instructor_id: string) => ({ instructor_id, lesson_type_id, student_id })
  return {
    vehicle_ids: [...new Set([...fleet.possibleFor([lessonOf('')], instructor_ids), ...beside])],
    thingsWith: (instructor_id) =>
      occupantsOf({ vehicle_ids: fleet.vehiclesFor(lessonOf(instructor_id), beside) }),
  }
}

function choosesDeleted(
  { choices = [], of }: Pick<LoadedAgendas, 'choices' | 'of'>,
  moved: Occupying = {},
): boolean {
  return choices.flat().some(({ kind, id }) => of.get(id)?.deleted && !OCCUPANTS[kind].isIn(moved, id))
}

export function surroundingsOfRange({ start, end }: Interval): Interval {
  return { start: surroundingsOf({ start, end: start }).start, end: surroundingsOf({ start: end, end }).end }
}

/** Searches loaded agendas. Leaves out instructors who do not teach the student's class unless `isNamed`. */
export function* searchIn(
  { calendar, instructors, lesson, choices, thingsWith, learner }: LoadedAgendas,
  criteria: SlotCriteria,
  isNamed: boolean,
): Steps<SlotSearch> {
  const considered = instructors.filter(
    ({ license_classes }) => isNamed || teachesClassOf(license_classes, learner),
  )
  const dailyAgendas: DailyAgenda[] = []
  for (const { id, usual_vehicle_id } of considered) {
    const own = thingsWith?.(id)
    const offered = own ? [own] : choices && usualFirst(choices, usual_vehicle_id)
    dailyAgendas.push(calendar.dailyAgendaFor({ ...lesson, instructor_id: id }, offered))
    yield
  }
  return { dailyAgendas, criteria, preferred_instructor_id: learner?.preferred_instructor_id ?? null }
}

function usualFirst(choices: readonly (readonly Occupant[])[], usual: string | null) {
  const isUsual = ([first]: readonly Occupant[]) => first?.id === usual
  return [...choices.filter(isUsual), ...choices.filter((choice) => !isUsual(choice))]
}

export type SlotContext = Pick<LoadedAgendas, 'of' | 'usesThings' | 'lesson_type' | 'learner' | 'holidayOn'>

export function slotOf(
  { dailyAgenda, place, proposal, things, overrides_used, before, after }: FoundSlot,
  { of, usesThings, lesson_type, learner: learning, holidayOn }: SlotContext,
  actor: Actor,
): Slot {
  const { id: instructor_id } = dailyAgenda.agenda.instructor
  const { license_classes = [] } = of.get(instructor_id) ?? {}
  const { start_at, end_at } = proposal
  const times = { start_at, end_at, student_id: undefined }
  const vehicles = usesThings ? things.flatMap(({ id }) => suitabilityOf(of.get(id))) : undefined
  const considered = { ...times, license_classes, lesson_type, learning, vehicles }
  return {
    instructor_id,
    start_at,
    end_at,
    vehicle_ids: things.flatMap(({ kind, id }) => (kind === 'vehicle' ? id : [])),
    overrides_used: [...overrides_used],
    is_preferred: place === PREFERRED,
    minutes_free_before: before.minutes,
    minutes_free_after: after.minutes,
    warnings: [...warningsFor(considered, { ...circumstancesOf(actor), holidayOn })],
  }
}

export function suitabilityOf(calendar: Calendar | undefined) {
  const { thing, license_classes = [] } = calendar ?? {}
  return thing ? [{ id: thing.id, kind: thing.kind, license_classes }] : []
}

export function circumstancesOf({ tenant, now }: Pick<Actor, 'tenant' | 'now'>) {
  return {
    now: localNow(now, tenant.timezone),
    unit_minutes: tenant.unit_minutes,
    examLaw: examLawOf(tenant.country),
    darkness: darknessFor(tenant),
  }
}

function criteriaFor(query: SlotQuery, { lesson_type }: LoadedAgendas, { tenant }: Actor): SlotCriteria {
  return {
    ...query,
    minutes: query.minutes ?? lesson_type?.default_minutes ?? 0,
    counts_toward_limits: lesson_type?.counts_toward_limits ?? true,
    timezone: tenant.timezone,
    darkness: lesson_type?.only_in_the_dark ? darknessFor(tenant) : undefined,
  }
}
