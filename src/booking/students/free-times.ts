import type { Actor } from '../../contract/actor.ts'
import type { StoredAvailability } from '../../contract/availability.ts'
import type { Slot } from '../../contract/slot.ts'
import type { Wish } from '../../contract/wish.ts'
import type { Database } from '../../db/schema/tables.ts'
import { availabilityOf } from '../../db/students/availability.ts'
import { listWishesOf } from '../../db/students/wishes.ts'
import type { AvailableTime } from '../../domain/available-times.ts'
import { fitsWish } from '../../domain/gaps.ts'
import type { Interval } from '../../domain/interval.ts'
import {
  dateOf,
  dayOf,
  type LocalDateTime,
  localDateTimeFor,
  MINUTES_PER_DAY,
  type Minute,
  midnightOf,
  minuteOf,
  minuteOfDay,
  mondayOf,
} from '../../domain/local-time.ts'
import { type FoundSlot, leavesUselessRemainder } from '../../domain/slots.ts'
import { type SpreadTimes, spreadTimes } from '../../domain/spread-times.ts'
import { localNow } from '../../domain/time-zone.ts'
import { foundAmong, loadForSlots, type SlotQuery, slotOf } from '../lessons/find-slots.ts'
import type { TimeSlicer } from '../time-slicer.ts'

const STEP_MINUTES = 30
const MAX_SLOTS = 200
const TIMES_A_PAGE = 10
const MAX_PAGES = 6
const MAX_WISHES_SEARCHED = 3

export type OfferedTime = Pick<Slot, 'start_at' | 'end_at' | 'instructor_id' | 'vehicle_ids'>

type FoundTime = OfferedTime & { readonly isWasteful: boolean }

/** The times that a student may choose, and the number of the next page if there are more. */
export type OfferedTimes = Omit<SpreadTimes<OfferedTime>, 'hasMore'> & { readonly next: number | null }

/** A lesson that a student moves or books, and the times that are open for it. */
export type TimeSearch = Pick<SlotQuery, 'appointment_id' | 'student_id' | 'instructor_ids' | 'vehicles'> & {
  readonly lesson_type_id: string
  readonly minutes: number
  /** The bounds of the school, or narrower ones. */
  readonly range: Interval
  readonly isOpen: (slot: Slot) => boolean
}

/** Returns the times that a school leaves to its students, from the notice to the horizon. */
export function openRange({ tenant, now }: Pick<Actor, 'tenant' | 'now'>): Interval {
  const { notice_hours, horizon_days } = tenant.student_booking
  const minute = minuteOf(localNow(now, tenant.timezone))
  return { start: minute + notice_hours * 60, end: minute + horizon_days * MINUTES_PER_DAY }
}

type SearchBounds = { readonly pages: number; readonly slicer: TimeSlicer }

/** Lists times for a lesson: those the student wishes for, then others, spread over the days. */
export async function findFreeTimes(
  db: Database,
  actor: Actor,
  search: TimeSearch,
  { pages, slicer }: SearchBounds,
): Promise<OfferedTimes> {
  const count = Math.min(Math.max(pages, 1), MAX_PAGES)
  const { student_id, minutes } = search
  const { id: tenantId, student_booking } = actor.tenant
  const stored = student_id ? await listWishesOf(db, tenantId, [student_id]) : []
  const wishes = stored.filter(wishFor(search)).slice(0, MAX_WISHES_SEARCHED)
  const answers = student_id ? await answersIn(db, tenantId, student_id, search.range) : []
  const slotsWithin = await searchIn(db, actor, search, slicer)
  const found: FoundTime[] = []
  const open = { start: minuteOfDay(student_booking.time_from), end: minuteOfDay(student_booking.time_to) }
  for (const { instructor_id, weekdays, time_from, time_to } of wishes) {
    const hours = hoursWithin({ time_from: time_from ?? '00:00', time_to: time_to ?? '24:00' }, open)
    const within = { instructor_id, weekdays: weekdays ?? undefined, hours }
    found.push(...(await slotsWithin(MAX_SLOTS, within)))
  }
  for (const { date, ...times } of answers.flatMap(({ windows }) => windows ?? [])) {
    const hours = hoursWithin(times, open)
    const midnight = midnightOf(dayOf(date))
    const range = {
      start: Math.max(midnight + hours.start, search.range.start),
      end: Math.min(midnight + hours.end, search.range.end),
    }
    if (range.start < range.end) found.push(...(await slotsWithin(MAX_SLOTS, { range })))
  }
  found.push(...(await slotsWithin(count * MAX_SLOTS)))
  const times = new Map(betterLast(found).map((time) => [time.start_at, time]))
  const inOrder = [...times.values()].toSorted((a, b) => (a.start_at < b.start_at ? -1 : 1))
  const answerOn = new Map(answers.map((answer) => [answer.week_start, answer]))
  const isWished = (time: FoundTime) => {
    const answer = answerOn.get(mondayOf(dateOf(time.start_at)))
    if (answer?.lessons === 0) return false
    if (answer?.windows) return answer.windows.some((window) => isWithin(time, window))
    return wishes.some((wish) => fitsWish({ ...wish, minutes }, time))
  }
  const offered = offeredAmong(actor, inOrder)
  const { wished, others, hasMore } = spreadTimes(offered, isWished, count * TIMES_A_PAGE)
  return { wished, others, next: hasMore && count < MAX_PAGES ? count + 1 : null }
}

type Chosen = {
  readonly start_at: LocalDateTime
  readonly instructor_id?: string
  readonly slicer: TimeSlicer
}

/** Returns the offered time with a start, with this instructor if one is named; undefined if it is not offered. */
export async function findFreeTime(
  db: Database,
  actor: Actor,
  search: TimeSearch,
  { start_at, instructor_id, slicer }: Chosen,
): Promise<OfferedTime | undefined> {
  const start = minuteOf(start_at)
  if (start < search.range.start || start + search.minutes > search.range.end) return undefined
  const isOpen = (slot: Slot) =>
    (instructor_id === undefined || slot.instructor_id === instructor_id) && search.isOpen(slot)
  const here = { ...search, isOpen, range: { start, end: start + search.minutes } }
  const [found] = await (await searchIn(db, actor, here, slicer))(MAX_SLOTS)
  if (!found) return undefined
  const { isWasteful, ...time } = found
  if (!isWasteful || !actor.tenant.student_booking.no_gaps) return time
  const all = await (await searchIn(db, actor, search, slicer))(MAX_SLOTS)
  return all.every((other) => other.isWasteful) ? time : undefined
}

/** Returns the times that the school offers: without useless remainders, if it wants none and there are such. */
function offeredAmong({ tenant }: Actor, times: readonly FoundTime[]): readonly FoundTime[] {
  if (!tenant.student_booking.no_gaps) return times.map((time) => ({ ...time, isWasteful: false }))
  const fitting = times.filter(({ isWasteful }) => !isWasteful)
  return fitting.length > 0 ? fitting : times
}

/** Returns the times so that of several with one start the first that leaves no useless remainder is the last. */
function betterLast(times: readonly FoundTime[]): readonly FoundTime[] {
  return times.toReversed().toSorted((a, b) => Number(b.isWasteful) - Number(a.isWasteful))
}

/** Returns whether a wish may be for the lesson. Its length is the lesson's, whatever was wished. */
function wishFor({ instructor_ids, lesson_type_id }: TimeSearch) {
  return (wish: Wish) =>
    (wish.instructor_id === null || instructor_ids?.includes(wish.instructor_id) !== false) &&
    (wish.lesson_type_id ?? lesson_type_id) === lesson_type_id
}

/** Reads the student's answers for the weeks of a range, which stand in place of the wishes. */
async function answersIn(
  db: Database,
  tenantId: string,
  student_id: string,
  { start, end }: Interval,
): Promise<readonly StoredAvailability[]> {
  const [first, to] = [start, end].map((minute) => dateOf(localDateTimeFor(minute))) as [string, string]
  return availabilityOf(db, tenantId, student_id, { from: mondayOf(first), to })
}

function isWithin({ start_at, end_at }: FoundTime, { date, time_from, time_to }: AvailableTime): boolean {
  return `${date} ${time_from}` <= start_at && end_at <= `${date} ${time_to}`
}

type Within = Partial<Pick<SlotQuery, 'weekdays' | 'hours' | 'range'> & Pick<Wish, 'instructor_id'>>

/** Loads the calendars of a search. Returns a function that lists free times, within narrower bounds if some are given. */
async function searchIn(
  db: Database,
  actor: Actor,
  { isOpen, ...asked }: TimeSearch,
  slicer: TimeSlicer,
): Promise<(limit: number, within?: Within) => Promise<readonly FoundTime[]>> {
  const { time_from, time_to } = actor.tenant.student_booking
  const hours = { start: minuteOfDay(time_from), end: minuteOfDay(time_to) }
  const query = {
    ...asked,
    weekdays: undefined,
    hours,
    step: STEP_MINUTES,
    with_overrides: false,
    order: 'time' as const,
  }
  const loaded = await loadForSlots(db, actor, query, slicer)
  return async (limit, { instructor_id: wanted, ...within } = {}) => {
    const times = new Map<Minute, FoundTime>()
    const sieve = {
      // One time for each start, or the many who are free at once would use up the limit.
      needs: (start: Minute) => times.get(start)?.isWasteful !== false,
      keeps: (found: FoundSlot) => {
        const slot = slotOf(found, loaded, actor)
        const { start_at, end_at, instructor_id, vehicle_ids } = slot
        const isWasteful = leavesUselessRemainder(found, loaded.shortest_minutes)
        const isUseless = isWasteful && times.has(found.start)
        const isOther = (wanted ?? instructor_id) !== instructor_id
        if (isUseless || isOther || !isOpen(slot)) return false
        times.set(found.start, { start_at, end_at, instructor_id, vehicle_ids, isWasteful })
        return true
      },
    }
    await foundAmong(loaded, actor, { ...query, ...within }, { after: undefined, limit, sieve, slicer })
    return [...times.values()]
  }
}

function hoursWithin(
  { time_from, time_to }: Pick<AvailableTime, 'time_from' | 'time_to'>,
  { start, end }: Interval,
): Interval {
  return { start: Math.max(start, minuteOfDay(time_from)), end: Math.min(end, minuteOfDay(time_to)) }
}

/** Returns the latest of some starts that are not open yet, or the earliest start: slots before it must not use up a limit. */
export async function firstOpenStart(
  { start, end }: Interval,
  isOpenAt: (start_at: LocalDateTime) => boolean,
  slicer: TimeSlicer,
): Promise<number> {
  let first = start
  for (let at = start; at < end; at += MINUTES_PER_DAY) {
    if (!isOpenAt(localDateTimeFor(at))) first = at
    await slicer.pause()
  }
  return first
}
