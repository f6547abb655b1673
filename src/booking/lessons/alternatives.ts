import type { Actor } from '../../contract/actor.ts'
import type { Slot } from '../../contract/slot.ts'
import { readFleet } from '../../db/appointments/fleet.ts'
import { type AgendaAppointment, type LoadedAgendas, requireAgendas } from '../../db/calendars/agendas.ts'
import type { Database } from '../../db/schema/tables.ts'
import { darknessFor } from '../../domain/daylight.ts'
import type { SlotCriteria } from '../../domain/free-intervals.ts'
import { type Interval, intervalOf, minutesOf } from '../../domain/interval.ts'
import {
  dayOfMinute,
  type LocalDateTime,
  MINUTES_PER_DAY,
  MINUTES_PER_WEEK,
  midnightOf,
  minuteOf,
  weekStartOf,
} from '../../domain/local-time.ts'
import { occupantsOf } from '../../domain/occupants.ts'
import { firstSlots, nearestSlots } from '../../domain/slots.ts'
import type { Steps } from '../../domain/steps.ts'
import { localNow } from '../../domain/time-zone.ts'
import type { TimeSlicer } from '../time-slicer.ts'
import { searchIn, slotOf, surroundingsOfRange } from './find-slots.ts'

const MAX_ALTERNATIVES = 3
const DAYS_LOOKED_AT = 14
const STEP_MINUTES = 15

/**
 * Returns up to three free slots within two weeks of a refused appointment, with its instructor or else with others who teach
 * the class. An instructor gets only their own. Throws `not_found`.
 */
export async function alternativesFor(
  db: Database,
  actor: Actor,
  refused: AgendaAppointment,
  slicer: TimeSlicer,
): Promise<readonly Slot[]> {
  return alternativesIn(db, actor, { refused, around: await loadAround(db, actor, refused, slicer), slicer })
}

export async function loadAround(
  db: Database,
  actor: Actor,
  refused: AgendaAppointment,
  slicer: TimeSlicer,
): Promise<LoadedAgendas> {
  return load(db, actor, refused, { instructor_ids: [refused.instructor_id], slicer })
}

export type Surroundings = {
  readonly refused: AgendaAppointment
  readonly around: LoadedAgendas
  readonly slicer: TimeSlicer
}

export async function alternativesIn(
  db: Database,
  actor: Actor,
  { refused, around, slicer }: Surroundings,
): Promise<readonly Slot[]> {
  const { attendees = [], seats } = refused
  if (attendees.length > (seats ?? around.lesson_type?.seats ?? 1)) return []
  const own = await slicer.run(nearestIn(around, actor, refused, true))
  if (own.length > 0 || actor.role === 'instructor') return own
  return slicer.run(nearestIn(await loadOthers(db, actor, refused, slicer), actor, refused, false))
}

/** Returns the first allowed start without an override, from the requested start to the end of its ISO week. */
export async function firstStartIn(
  actor: Actor,
  { refused, around, slicer }: Surroundings,
): Promise<LocalDateTime | null> {
  const { start, end } = intervalOf(refused)
  const nextWeek = midnightOf(weekStartOf(dayOfMinute(start))) + MINUTES_PER_WEEK
  const range = { start, end: nextWeek - 1 + (end - start) }
  const criteria = { ...criteriaFor(refused, around, actor), range, step: 1, darkness: undefined }
  const search = await slicer.run(searchIn(around, criteria, true))
  const [first] = await slicer.run(firstSlots(search, { by: 'time' }, { limit: 1 }))
  return first?.proposal.start_at ?? null
}

/** Loads the agendas of all instructors. The usual vehicle of each takes the place of the refused one's. */
async function loadOthers(
  db: Database,
  actor: Actor,
  refused: AgendaAppointment,
  slicer: TimeSlicer,
): Promise<LoadedAgendas> {
  const { vehicle_ids = [], student_id } = refused
  const fleet = await readFleet(db, actor.tenant.id, [student_id])
  const possible = [...new Set([...vehicle_ids, ...fleet.possibleFor([refused])])]
  const loaded = await load(db, actor, refused, { vehicle_ids: possible, slicer })
  if (possible.length === 0) return loaded
  const thingsWith = (instructor_id: string) =>
    occupantsOf({ vehicle_ids: fleet.vehiclesWith(refused, instructor_id) })
  return { ...loaded, thingsWith }
}

type Loading = {
  readonly instructor_ids?: readonly string[]
  readonly vehicle_ids?: readonly string[]
  readonly slicer: TimeSlicer
}

async function load(
  db: Database,
  actor: Actor,
  refused: AgendaAppointment,
  { instructor_ids, vehicle_ids = refused.vehicle_ids, slicer }: Loading,
): Promise<LoadedAgendas> {
  const { id: except, lesson_type_id, overlay, unstored = [] } = refused
  const range = surroundingsOfRange(rangeAround(refused, actor))
  const lesson = { ...refused, vehicle_ids, instructor_id: undefined }
  const placed = unstored.map((one) => ({ ...refused, ...one }))
  const request = { instructor_ids, lesson, lesson_type_id, range, except, overlay, unstored: placed }
  return requireAgendas(db, actor, request, (steps) => slicer.run(steps))
}

function* nearestIn(
  around: LoadedAgendas,
  actor: Actor,
  refused: AgendaAppointment,
  isNamed: boolean,
): Steps<readonly Slot[]> {
  const search = yield* searchIn(around, criteriaFor(refused, around, actor), isNamed)
  const { shortest_minutes } = around
  const bounds = { limit: MAX_ALTERNATIVES, shortest_minutes }
  const nearest = yield* nearestSlots(search, minuteOf(refused.start_at), bounds)
  return nearest.map((one) => slotOf(one, around, actor))
}

function criteriaFor(refused: AgendaAppointment, { lesson_type }: LoadedAgendas, actor: Actor): SlotCriteria {
  return {
    minutes: minutesOf(intervalOf(refused)),
    counts_toward_limits: lesson_type?.counts_toward_limits ?? true,
    range: rangeAround(refused, actor),
    step: STEP_MINUTES,
    with_overrides: false,
    timezone: actor.tenant.timezone,
    darkness: lesson_type?.only_in_the_dark ? darknessFor(actor.tenant) : undefined,
  }
}

function rangeAround(refused: AgendaAppointment, { tenant, now }: Actor): Interval {
  const { start, end } = intervalOf(refused)
  const today = minuteOf(localNow(now, tenant.timezone))
  const earliest = start - DAYS_LOOKED_AT * MINUTES_PER_DAY
  return {
    start: start < today ? earliest : Math.max(earliest, today),
    end: end + DAYS_LOOKED_AT * MINUTES_PER_DAY,
  }
}
