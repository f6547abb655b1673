import type { TFunction } from 'i18next'
import type { Load } from '../lessons/verdict.ts'
import type { School } from '../ui/school.tsx'

/** Units of a limit as a bar and in words. */
export type Meter = {
  readonly units: string
  readonly label: string
  readonly level: 'free' | 'open' | 'full' | 'over'
  /** Percent of the bar. */
  readonly filled: number
}

export function meterOf(load: Load, period: 'day' | 'week', { format }: School, t: TFunction): Meter {
  const { units, limit, ceiling } = load
  const booked = format.units(units)
  if (limit === null) {
    const label = t(`board.${period}UnitsFree`, { booked })
    return { units: t('board.unitsFree', { booked }), label, level: 'free', filled: 0 }
  }
  const numbers = { booked, limit: format.units(limit) }
  return {
    units: t('board.units', numbers),
    label: t(`board.${period}Units`, numbers),
    level: levelOf(units, limit),
    filled: Math.min(100, (units / Math.max(limit, ceiling ?? 0, 1)) * 100),
  }
}

/** Amber at the limit, red above it, where only the override allows. */
function levelOf(units: number, limit: number): Meter['level'] {
  if (units > limit) return 'over'
  return units === limit ? 'full' : 'open'
}
