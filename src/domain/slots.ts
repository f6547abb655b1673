import type { Proposal } from './agenda.ts'
import { verdictOn } from './booking.ts'
import { agendaOn, type DailyAgenda, freeChoiceIn } from './daily-agenda.ts'
import {
  type FreeInterval,
  freeIntervalsOn,
  gapsAround,
  type Remainder,
  type SlotCriteria,
} from './free-intervals.ts'
import { type Day, dayOfMinute, localDateTimeFor, type Minute, midnightOf } from './local-time.ts'
import type { Occupant } from './occupants.ts'
import type { Steps } from './steps.ts'
import type { OverrideUsed } from './unit-limits.ts'

export type SlotSearch = {
  readonly dailyAgendas: readonly DailyAgenda[]
  readonly criteria: SlotCriteria
  readonly preferred_instructor_id: string | null
}

/** The order of slots: by time, or by fit (preferred instructor, no remainder too short for `shortest_minutes`, then time). */
export type SlotOrder =
  | { readonly by: 'time' }
  | { readonly by: 'fit'; readonly shortest_minutes: number | null }

/** The sort key of a slot: its fit (0 is best; always 0 when sorted by time), start, and instructor's place. */
export type SlotPosition = { readonly fit: number; readonly start: Minute; readonly place: number }

/** A free time that the rules accept. */
export type FoundSlot = SlotPosition & {
  readonly proposal: Proposal
  readonly dailyAgenda: DailyAgenda
  readonly things: readonly Occupant[]
  readonly overrides_used: readonly OverrideUsed[]
  readonly before: Remainder
  readonly after: Remainder
}

/** The conditions of a search for more than the rules accept. */
export type SlotSieve = {
  /** Whether a further slot with this start is of use. */
  readonly needs: (start: Minute) => boolean
  readonly keeps: (slot: FoundSlot) => boolean
}

type Candidate = {
  readonly place: number
  readonly dailyAgenda: DailyAgenda
  readonly freeInterval: FreeInterval
}

export const PREFERRED = 0
/** The best fit of instructors who are not preferred. */
const FIT_OF_OTHERS = 2
export const WORST_FIT = 3

/** The extra distance of a time that leaves a useless remainder. */
const MINUTES_FOR_FIT = 30

type SlotBounds = {
  readonly after?: SlotPosition | undefined
  readonly limit: number
  readonly sieve?: SlotSieve | undefined
}

/** Returns at most `limit` slots in an order, from the first or after a position. Ties are sorted by place, preferred first. */
export function* firstSlots(
  search: SlotSearch,
  order: SlotOrder,
  { after, limit, sieve }: SlotBounds,
): Steps<readonly FoundSlot[]> {
  const fits = Array.from({ length: WORST_FIT + 1 }, (): FoundSlot[] => [])
  const best = Math.max(bestFitIn(search, order), after?.fit ?? 0)
  const firstDay = order.by === 'time' && after ? dayOfMinute(after.start) : Number.NEGATIVE_INFINITY
  for (const day of daysOf(search.criteria)) {
    if (day < firstDay) continue
    // Only the preferred instructor can still have better slots.
    const isEnough = fits[FIT_OF_OTHERS]?.length === limit
    for (const candidate of yield* candidatesOn(day, isEnough ? preferredIn(search) : search)) {
      yield
      const fit = fitOf(candidate, order)
      const found = fits[fit] ?? []
      if (found.length === limit || !isAfter(after, fit, candidate)) continue
      if (sieve?.needs(candidate.freeInterval.start) === false) continue
      found.push(...accepted(candidate, fit, search.criteria).filter((slot) => sieve?.keeps(slot) !== false))
    }
    if (fits[best]?.length === limit) break
  }
  return fits.flat().slice(0, limit)
}

type Nearness = { readonly limit: number; readonly shortest_minutes: number | null }

/**
 * Returns at most `limit` slots, the nearest to a start first. One that leaves a useless remainder counts as half an hour
 * farther. Of those equally far, the one that leaves none is first, then the earlier.
 */
export function* nearestSlots(
  search: SlotSearch,
  start: Minute,
  { limit, shortest_minutes }: Nearness,
): Steps<readonly FoundSlot[]> {
  const days = daysOf(search.criteria).toSorted((a, b) => minutesToDay(a, start) - minutesToDay(b, start))
  const candidates: Candidate[] = []
  const distanceTo = ({ freeInterval }: Candidate) => Math.abs(freeInterval.start - start)
  let farthest = Number.POSITIVE_INFINITY
  for (const day of days) {
    if (minutesToDay(day, start) > farthest) break
    candidates.push(...(yield* candidatesOn(day, search)))
    candidates.sort((a, b) => distanceTo(a) - distanceTo(b))
    const last = candidates[limit - 1]
    if (last) farthest = distanceTo(last) + MINUTES_FOR_FIT
  }
  const near = candidates.filter((candidate) => distanceTo(candidate) <= farthest)
  const ranked = near.map((candidate) => {
    const { dailyAgenda, freeInterval } = candidate
    const gaps = gapsAround(freeInterval, dailyAgenda)
    const fit = leavesUselessRemainder({ dailyAgenda, ...gaps }, shortest_minutes) ? 1 : 0
    return { candidate, fit, distance: distanceTo(candidate) + fit * MINUTES_FOR_FIT }
  })
  ranked.sort(
    (a, b) =>
      a.distance - b.distance ||
      a.fit - b.fit ||
      a.candidate.freeInterval.start - b.candidate.freeInterval.start,
  )
  return ranked.slice(0, limit).flatMap(({ candidate }) => accepted(candidate, 0, search.criteria))
}

/** Returns the minutes between a start and the nearest minute of a day. */
function minutesToDay(day: Day, start: Minute): number {
  return Math.max(0, midnightOf(day) - start, start - midnightOf(day + 1) + 1)
}

function preferredIn(search: SlotSearch): SlotSearch {
  const isPreferred = ({ agenda }: DailyAgenda) => agenda.instructor.id === search.preferred_instructor_id
  return { ...search, dailyAgendas: search.dailyAgendas.filter(isPreferred) }
}

function daysOf({ range, minutes }: SlotCriteria): readonly Day[] {
  const [first, last] = [dayOfMinute(range.start), dayOfMinute(range.end - minutes)]
  return Array.from({ length: Math.max(last - first + 1, 0) }, (_, index) => first + index)
}

/** Returns the day's candidates by time, then place. */
function* candidatesOn(day: Day, search: SlotSearch): Steps<readonly Candidate[]> {
  const candidates: Candidate[] = []
  for (const dailyAgenda of search.dailyAgendas) {
    const place = rankOf(dailyAgenda.agenda.instructor.id, search)
    for (const freeInterval of freeIntervalsOn(day, dailyAgenda, search.criteria))
      candidates.push({ place, dailyAgenda, freeInterval })
    yield
  }
  return candidates.sort((a, b) => a.freeInterval.start - b.freeInterval.start || a.place - b.place)
}

/** Returns an instructor's place among ties: preferred first, then in the order of the agendas; -1 without an agenda. */
export function rankOf(id: string, { dailyAgendas, preferred_instructor_id }: SlotSearch): number {
  const at = dailyAgendas.findIndex(({ agenda }) => agenda.instructor.id === id)
  return at === -1 ? -1 : id === preferred_instructor_id ? PREFERRED : at + 1
}

/** Returns the candidate's slot, or an empty list if it breaks a rule: free intervals are only estimates. */
function accepted(
  { place, dailyAgenda, freeInterval }: Candidate,
  fit: number,
  { counts_toward_limits }: SlotCriteria,
): readonly FoundSlot[] {
  const { start, end } = freeInterval
  const times = { start_at: localDateTimeFor(start), end_at: localDateTimeFor(end) }
  const proposal = { ...times, counts_toward_limits }
  const things = freeChoiceIn(freeInterval, dailyAgenda) ?? []
  const { refusals, overrides_used } = verdictOn(proposal, agendaOn(dayOfMinute(start), dailyAgenda, things))
  if (refusals.length > 0) return []
  return [
    {
      fit,
      start,
      place,
      proposal,
      dailyAgenda,
      things,
      overrides_used,
      ...gapsAround(freeInterval, dailyAgenda),
    },
  ]
}

function fitOf({ place, dailyAgenda, freeInterval }: Candidate, order: SlotOrder): number {
  if (order.by === 'time') return 0
  const gaps = gapsAround(freeInterval, dailyAgenda)
  const isWasteful = leavesUselessRemainder({ dailyAgenda, ...gaps }, order.shortest_minutes)
  return (place === PREFERRED ? 0 : FIT_OF_OTHERS) + (isWasteful ? 1 : 0)
}

function bestFitIn(search: SlotSearch, { by }: SlotOrder): number {
  const preferred = search.preferred_instructor_id
  return by === 'time' || (preferred !== null && rankOf(preferred, search) === PREFERRED) ? 0 : FIT_OF_OTHERS
}

/** Whether a time leaves a remainder, before or after it, that is too short for the school's shortest lesson. */
export function leavesUselessRemainder(
  { before, after, dailyAgenda }: Pick<FoundSlot, 'before' | 'after' | 'dailyAgenda'>,
  shortestMinutes: number | null,
): boolean {
  return [before, after].some((gap) => isTooShort(gap, dailyAgenda, shortestMinutes ?? 0))
}

/** Whether a gap is longer than the required break, but too short for a lesson. */
function isTooShort(
  { minutes, isToAppointment }: Remainder,
  { agenda }: DailyAgenda,
  shortestMinutes: number,
): boolean {
  const { required_break_minutes } = agenda.instructor
  const needed = isToAppointment ? required_break_minutes : 0
  return minutes > needed && minutes < needed + shortestMinutes + required_break_minutes
}

function isAfter(after: SlotPosition | undefined, fit: number, { freeInterval, place }: Candidate): boolean {
  if (!after) return true
  return (fit - after.fit || freeInterval.start - after.start || place - after.place) > 0
}
