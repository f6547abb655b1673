import { type CountedAppointment, timedByStart, type UnitLimits } from './agenda.ts'
import { DAILY, tallyFor, WEEKLY } from './load.ts'
import { dailyLimitRefusalFor, weeklyLimitRefusalFor } from './unit-limits.ts'

type Booked = {
  readonly instructor: UnitLimits
  readonly unit_minutes: number
  readonly appointments: readonly CountedAppointment[]
}

/** Returns the ids of appointments over a limit, as if all were booked again in order: the last ones of a full day or week. */
export function overLimitsOf({ appointments, ...rules }: Booked): ReadonlyMap<string, 'day' | 'week'> {
  const sorted = timedByStart(appointments)
  const over = new Map<string, 'day' | 'week'>()
  for (const [index, one] of sorted.entries()) {
    const kept = sorted.slice(0, index).filter(({ source }) => !over.has(source.id))
    const before = { ...rules, appointments: kept }
    if (dailyLimitRefusalFor(tallyFor(DAILY, one, before))) over.set(one.source.id, 'day')
    else if (weeklyLimitRefusalFor(tallyFor(WEEKLY, one, before))) over.set(one.source.id, 'week')
  }
  return over
}
