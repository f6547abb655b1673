import { ownOf, visibleTo } from '../auth/permissions.ts'
import type { Actor } from '../contract/actor.ts'
import type { Assumed } from '../contract/assumed.ts'
import { notFound } from '../contract/problem.ts'
import type { Slot } from '../contract/slot.ts'
import { type AgendasRequest, type LoadedAgendas, requireAgendas } from '../db/calendars/agendas.ts'
import type { Database } from '../db/schema/tables.ts'
import { type DailyAgenda, dailyAgendaFor, type OccupiedTimes, takenBy } from '../domain/daily-agenda.ts'
import { darknessFor } from '../domain/daylight.ts'
import type { SlotCriteria } from '../domain/free-intervals.ts'
import { attendeeIdsOf } from '../domain/group.ts'
import type { Interval } from '../domain/interval.ts'
import { type LocalDateTime, minuteOf } from '../domain/local-time.ts'
import { type FoundSlot, firstSlots, PREFERRED, rankOf, type SlotSearch } from '../domain/slots.ts'
import type { Steps } from '../domain/steps.ts'
import { surroundingsOf } from '../domain/surroundings.ts'
import { localNow } from '../domain/time-zone.ts'
import { teachesClassOf, warningsFor } from '../domain/warnings.ts'
import { agendasAssuming, requireAssumed } from './assumed-rules.ts'
import { requireAppointment } from './change-appointment.ts'
import { requireOwnBooking } from './own-bookings.ts'
import type { Pieces } from './pieces.ts'

export type SlotQuery = Pick<
  AgendasRequest,
  'instructor_ids' | 'student_id' | 'lesson_type_id' | 'vehicles'
> &
  Omit<SlotCriteria, 'minutes' | 'counts_toward_limits' | 'timezone' | 'night_sky'> & {
    /** The length, or undefined for the default of the lesson type, which is then required. */
    readonly minutes: number | undefined
    readonly appointment_id: string | undefined
    readonly order: 'time' | 'fit'
    readonly assumed?: Assumed | undefined
  }

export type SlotMark = {
  readonly fit: number
  readonly start_at: LocalDateTime
  readonly instructor_id: string
}

type Page = { readonly after: SlotMark | undefined; readonly limit: number; readonly pieces: Pieces }

export type SlotPage = { readonly slots: readonly Slot[]; readonly last: SlotMark | undefined }

/** Searches for times that booking accepts: with the named instructors, or all active ones of the class. Throws `not_found`. */
export async function findSlots(
  db: Database,
  actor: Actor,
  query: SlotQuery,
  { after, limit, pieces }: Page,
): Promise<SlotPage> {
  const { appointment_id: except } = query
  const moved =
    except === undefined ? undefined : visibleTo(actor, await requireAppointment(db, actor.tenant.id, except))
  const isOfMoved = moved !== undefined && query.student_id === null
  const attendee_ids = isOfMoved ? attendeeIdsOf(moved) : []
  const student_id = isOfMoved ? moved.student_id : query.student_id
  const { own } = ownOf(actor)
  const instructor_ids = query.instructor_ids ?? (own === undefined ? undefined : [own])
  for (const instructor_id of instructor_ids ?? [undefined])
    await requireOwnBooking(db, actor, { instructor_id, student_id: query.student_id })
  const range = surroundingsOfRange(query.range)
  await requireAssumed(db, actor.tenant.id, query.assumed)
  const request = { ...query, student_id, instructor_ids, attendee_ids, range, ...(except && { except }) }
  const stored = await requireAgendas(db, actor, request, (steps) => pieces.run(steps))
  const loaded = agendasAssuming(stored, query.assumed)
  const isDeleted = loaded.learner?.deleted && !isOfMoved
  if (isDeleted || namesDeletedVehicle(loaded, moved)) throw notFound()
  const criteria = criteriaFor(query, loaded, actor)
  const search = await pieces.run(searchIn(loaded, criteria, query.instructor_ids !== undefined))
  const order = { by: query.order, shortest_minutes: loaded.shortest_minutes }
  const position = after && {
    fit: after.fit,
    start: minuteOf(after.start_at),
    place: rankOf(after.instructor_id, search),
  }
  const found = await pieces.run(firstSlots(search, order, { after: position, limit: limit + 1 }))
  const slots = found.slice(0, limit).map((one) => slotOf(one, loaded, actor))
  const last = found.length > limit ? slots.at(-1) : undefined
  const fit = found[limit - 1]?.fit ?? 0
  return { slots, last: last && { fit, start_at: last.start_at, instructor_id: last.instructor_id } }
}

function namesDeletedVehicle(
  { vehicles = [] }: Pick<LoadedAgendas, 'vehicles'>,
  moved: { readonly vehicle_ids: readonly string[] } | undefined,
): boolean {
  return vehicles.flat().some(({ vehicle: { id }, deleted }) => deleted && !moved?.vehicle_ids.includes(id))
}

export function surroundingsOfRange({ start, end }: Interval): Interval {
  return { start: surroundingsOf({ start, end: start }).start, end: surroundingsOf({ start: end, end }).end }
}

/** Searches loaded agendas. Leaves out instructors who do not teach the student's class unless `isNamed`. */
export function* searchIn(
  { instructors, vehicles, learner }: LoadedAgendas,
  criteria: SlotCriteria,
  isNamed: boolean,
): Steps<SlotSearch> {
  const considered = instructors.filter(
    ({ license_classes }) => isNamed || teachesClassOf(license_classes, learner),
  )
  const dailyAgendas: DailyAgenda[] = []
  const choices = vehicles?.map((choice) => choice.map(takenBy))
  for (const { agenda, usual_vehicle_id } of considered) {
    dailyAgendas.push(dailyAgendaFor(agenda, choices && usualFirst(choices, usual_vehicle_id)))
    yield
  }
  return { dailyAgendas, criteria, preferred_instructor_id: learner?.preferred_instructor_id ?? null }
}

function usualFirst(choices: readonly (readonly OccupiedTimes[])[], usual: string | null | undefined) {
  const isUsual = ([first]: readonly OccupiedTimes[]) => first?.vehicle?.id === usual
  return [...choices.filter(isUsual), ...choices.filter((choice) => !isUsual(choice))]
}

export function slotOf(
  { dailyAgenda, place, proposal, vehicle_ids, overrides_used, before, after }: FoundSlot,
  { instructors, vehicles: choices = [], lesson_type, learner: learning, holidayOn }: LoadedAgendas,
  actor: Actor,
): Slot {
  const { id: instructor_id } = dailyAgenda.agenda.instructor
  const { license_classes = [] } =
    instructors.find(({ agenda }) => agenda.instructor.id === instructor_id) ?? {}
  const { start_at, end_at } = proposal
  const times = { start_at, end_at, student_id: undefined }
  const vehicles = choices
    .flat()
    .filter(({ vehicle }) => vehicle_ids.includes(vehicle.id))
    .map(({ vehicle: { id }, ...vehicle }) => ({ id, license_classes: vehicle.license_classes }))
  const considered = { ...times, license_classes, lesson_type, learning, vehicles }
  return {
    instructor_id,
    start_at,
    end_at,
    vehicle_ids: [...vehicle_ids],
    overrides_used: [...overrides_used],
    is_preferred: place === PREFERRED,
    minutes_free_before: before.minutes,
    minutes_free_after: after.minutes,
    warnings: [...warningsFor(considered, { ...circumstancesOf(actor), holidayOn })],
  }
}

export function circumstancesOf({ tenant, now }: Pick<Actor, 'tenant' | 'now'>) {
  return {
    now: localNow(now, tenant.timezone),
    unit_minutes: tenant.unit_minutes,
    sky: darknessFor(tenant),
  }
}

function criteriaFor(query: SlotQuery, { lesson_type }: LoadedAgendas, { tenant }: Actor): SlotCriteria {
  return {
    ...query,
    minutes: query.minutes ?? lesson_type?.default_minutes ?? 0,
    counts_toward_limits: lesson_type?.counts_toward_limits ?? true,
    timezone: tenant.timezone,
    night_sky: lesson_type?.only_in_the_dark ? darknessFor(tenant) : undefined,
  }
}
