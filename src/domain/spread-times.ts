import { dateOf, type LocalDateTime, type TimeOfDay, timeOf } from './local-time.ts'

type Time = {
  readonly start_at: LocalDateTime
  readonly end_at: LocalDateTime
  /** Whether it leaves a useless remainder. */
  readonly isWasteful?: boolean
}

/** The free times to choose from: those that a student has wished for, and others, each in order. */
export type SpreadTimes<Free extends Time> = {
  readonly wished: readonly Free[]
  readonly others: readonly Free[]
  readonly hasMore: boolean
}

/** The parts of a day by their starts. One time of each is shown, so that a free morning does not hide the evening. */
const PARTS: readonly TimeOfDay[] = ['00:00', '12:00', '16:00']

const SHARE_OF_WISHED = 0.6

/**
 * Chooses up to `limit` of the free times, given in order: the wished ones first, then others, spread over each day. Of each
 * part of a day it is the first that leaves no useless remainder, or else the first.
 */
export function spreadTimes<Free extends Time>(
  times: readonly Free[],
  isWished: (time: Free) => boolean,
  limit: number,
): SpreadTimes<Free> {
  const days = [...Map.groupBy(times, ({ start_at }) => dateOf(start_at)).values()]
  const wished = days.flatMap((day) => oneOfEachPart(day.filter(isWished)))
  const rest = days.map((day) => day.filter((time) => !isWished(time) && !wished.some(overlapping(time))))
  const others = rest.flatMap(oneOfEachPart)
  const share = Math.max(Math.ceil(limit * SHARE_OF_WISHED), limit - others.length)
  const first = wished.slice(0, share)
  return {
    wished: first,
    others: others.slice(0, limit - first.length),
    hasMore: wished.length + others.length > limit,
  }
}

function oneOfEachPart<Free extends Time>(day: readonly Free[]): readonly Free[] {
  const chosen: Free[] = []
  for (const [at, from] of PARTS.entries()) {
    const until = PARTS[at + 1] ?? '24:00'
    const isIn = ({ start_at }: Free) => timeOf(start_at) >= from && timeOf(start_at) < until
    const free = day.filter((time) => isIn(time) && !chosen.some(overlapping(time)))
    const found = free.find(({ isWasteful }) => !isWasteful) ?? free[0]
    if (found) chosen.push(found)
  }
  return chosen
}

function overlapping({ start_at, end_at }: Time) {
  return (other: Time) => start_at < other.end_at && end_at > other.start_at
}
