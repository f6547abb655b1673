import { intervalOf, minutesOf } from './interval.ts'
import type { LadderBoard, LadderChoice } from './ladder-board.ts'
import type { LadderLesson } from './ladder-problem.ts'
import { dayOfMinute, type Minute } from './local-time.ts'

/** A place for one of some lessons, which are named by their indexes. */
export type Room = readonly number[]

/** The room of each lesson, by the lesson's index. */
export type Rooms = (Room | undefined)[]

/** The choices of an instructor's day, each with the index of its lesson. */
type ChoicesOfDay = readonly { readonly index: number; readonly choice: LadderChoice }[]

/** The most by which a number of units is rounded. */
const ROUNDING = 0.005

/** Returns the number of lessons that can be placed together, at most: each needs a room of its own. */
export function boundFor(choices: readonly (readonly LadderChoice[])[], board: LadderBoard): number {
  return filled(roomsIn(daysOf(choices), board), [])
}

/** Groups the choices of lessons by the instructor's day. */
export function daysOf(choices: readonly (readonly LadderChoice[])[]): readonly ChoicesOfDay[] {
  const all = choices.flatMap((own, index) => own.map((choice) => ({ index, choice })))
  const calendars = Map.groupBy(all, ({ choice }) => choice.calendars[0])
  return [...calendars.values()].flatMap((own) => [
    ...Map.groupBy(own, ({ choice }) => dayOfMinute(choice.start)).values(),
  ])
}

/** Returns the rooms of days: as many as the free times of each allow, or its limits. */
export function roomsIn(days: readonly ChoicesOfDay[], board: LadderBoard): readonly Room[] {
  return days.flatMap((day) => {
    const byTime = roomsByTime(day)
    const most = byTime.length < 2 ? 1 : mostByLimits(day, board)
    return most < byTime.length ? Array.from({ length: most }, () => lessonsIn(day)) : byTime
  })
}

/** Returns a room for each of some moments, such that every choice contains one: two lessons cannot share a moment. */
export function roomsByTime(day: ChoicesOfDay): readonly Room[] {
  const moments: { readonly at: Minute; readonly lessons: Set<number> }[] = []
  for (const { index, choice } of day.toSorted((a, b) => endOf(a.choice) - endOf(b.choice))) {
    const last = moments.at(-1)
    if (last && choice.start <= last.at) last.lessons.add(index)
    else moments.push({ at: endOf(choice) - 1, lessons: new Set([index]) })
  }
  return moments.map(({ lessons }) => [...lessons])
}

/** Returns the days with fewer rooms than free times, because of limits. */
export function cappedIn(days: readonly ChoicesOfDay[], board: LadderBoard): readonly ChoicesOfDay[] {
  return days.filter((day) => mostByLimits(day, board) < roomsByTime(day).length)
}

/** Returns the rooms that capped days gain at most when another lesson leaves their instructor. */
export function roomsWithout(other: LadderLesson, capped: readonly ChoicesOfDay[]): readonly Room[] {
  return capped.flatMap((day) => {
    const shortest = shortestIn(day)
    if (!shortest.calendars[0]?.some(({ source }) => source.id === other.id)) return []
    const length = Math.ceil(minutesOf(intervalOf(other)) / minutesOf(shortest))
    return Array.from({ length }, () => lessonsIn(day))
  })
}

function lessonsIn(day: ChoicesOfDay): Room {
  return [...new Set(day.map(({ index }) => index))]
}

/** Returns the minute before which no other lesson of the instructor may begin. */
function endOf({ end, agenda }: LadderChoice): Minute {
  return end + agenda.instructor.required_break_minutes
}

function shortestIn(day: ChoicesOfDay): LadderChoice {
  const choices = day.map(({ choice }) => choice)
  return choices.reduce((a, b) => (minutesOf(b) < minutesOf(a) ? b : a))
}

/** Returns the number of lessons that the limits of a day and its week allow, by the verdict on the shortest. */
function mostByLimits(day: ChoicesOfDay, board: LadderBoard): number {
  const shortest = shortestIn(day)
  const { max_daily_units, max_weekly_units } = shortest.agenda.instructor
  if (max_daily_units === null && max_weekly_units === null) return Number.POSITIVE_INFINITY
  if (day.some(({ choice }) => !choice.source.counts_toward_limits)) return Number.POSITIVE_INFINITY
  const { load } = board.verdictOn(shortest)
  const left = [load.day, load.week].map(({ limit_units, booked_units, requested_units }) =>
    limit_units === null
      ? Number.POSITIVE_INFINITY
      : Math.floor((limit_units - booked_units + ROUNDING) / (requested_units - ROUNDING)),
  )
  return Math.max(0, Math.min(...left))
}

/** Gives rooms to as many further lessons as possible, and returns their number (Kuhn's algorithm). */
export function filled(rooms: readonly Room[], taken: Rooms): number {
  return rooms.filter((room) => isFilled(room, taken, new Set())).length
}

function isFilled(room: Room, taken: Rooms, seen: Set<number>): boolean {
  return room.some((lesson) => {
    if (seen.has(lesson)) return false
    seen.add(lesson)
    const before = taken[lesson]
    if (before && !isFilled(before, taken, seen)) return false
    taken[lesson] = room
    return true
  })
}
