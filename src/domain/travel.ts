import { minuteOf } from './local-time.ts'

/** The minutes from a location to others, by their ids. */
export type TravelTimes = { readonly id: string; readonly travel_minutes: Readonly<Record<string, number>> }

type Times = { readonly start_at: string; readonly end_at: string }

/** A lesson and its location, if known. */
export type TravelStop = Times & { readonly id: string; readonly location_id: string | null }

/** Returns the last lesson that ends before a time, and the first one after it. */
export function closestLessons<T extends Times>(
  { start_at, end_at }: Times,
  others: readonly T[],
): readonly T[] {
  const before = others.filter((other) => other.end_at <= start_at)
  const after = others.filter((other) => other.start_at >= end_at)
  const last = before.reduce<T | undefined>((a, b) => (a && a.end_at >= b.end_at ? a : b), undefined)
  const first = after.reduce<T | undefined>((a, b) => (a && a.start_at <= b.start_at ? a : b), undefined)
  return [last, first].filter((one) => one !== undefined)
}

/** A neighbouring lesson for which the travel time exceeds the free time. */
export type MissingTravelTime = {
  readonly minutes_needed: number
  readonly minutes_free: number
  /** The location of the neighbour. */
  readonly location_id: string
  readonly appointment_id: string
}

type Leg = Times & {
  readonly location_id: string | null
  readonly neighbours: readonly TravelStop[]
  readonly travelTimes: readonly TravelTimes[]
}

/** Returns the first neighbouring lesson that is too far away. */
export function missingTravelTimeFor({
  start_at,
  end_at,
  location_id: own,
  neighbours,
  travelTimes,
}: Leg): MissingTravelTime | undefined {
  const minutesTo = travelTimes.find(({ id }) => id === own)?.travel_minutes ?? {}
  for (const { id: appointment_id, location_id, ...other } of neighbours) {
    const minutes_needed = location_id === null ? undefined : minutesTo[location_id]
    const [from, to] = other.end_at <= start_at ? [other.end_at, start_at] : [end_at, other.start_at]
    const minutes_free = minuteOf(to) - minuteOf(from)
    if (location_id !== null && minutes_needed !== undefined && minutes_free < minutes_needed)
      return { minutes_needed, minutes_free, location_id, appointment_id }
  }
  return undefined
}
