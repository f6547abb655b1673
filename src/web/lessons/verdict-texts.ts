import type { TFunction } from 'i18next'
import type { Verdict } from '../../domain/booking.ts'
import type { Load } from '../../domain/load.ts'
import type { School } from '../ui/school.tsx'

/** Returns the resulting load of the day and the week. */
export function loadText(
  { load: { day, week } }: Verdict,
  { format }: School,
  t: TFunction,
): readonly string[] {
  if (day.requested_units === 0) return [t('verdict.uncounted')]
  const textFor = (name: 'day' | 'week', { booked_units, requested_units, limit_units }: Load) => {
    const units = format.units(booked_units + requested_units)
    return limit_units === null
      ? t(`verdict.${name}Free`, { units })
      : t(`verdict.${name}`, { units, limit: format.units(limit_units) })
  }
  return [textFor('day', day), textFor('week', week)]
}
