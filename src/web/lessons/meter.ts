import type { TFunction } from 'i18next'
import type { Load } from '../../domain/load.ts'
import type { School } from '../ui/school.tsx'

/** The units booked of a limit, as a bar and as text. */
export type Meter = {
  readonly units: string
  readonly label: string
  readonly level: 'free' | 'open' | 'full' | 'over'
  /** The filled percentage of the bar. */
  readonly filled: number
}

/** Returns the load of a day or week as a bar and as text. */
export function meterOf(load: Load, period: 'day' | 'week', { format }: School, t: TFunction): Meter {
  const { booked_units, limit_units, override_units } = load
  const booked = format.units(booked_units)
  if (limit_units === null) {
    const label = t(`board.${period}UnitsFree`, { booked })
    return { units: t('board.unitsFree', { booked }), label, level: 'free', filled: 0 }
  }
  const numbers = { booked, limit: format.units(limit_units) }
  return {
    units: t('board.units', numbers),
    label: t(`board.${period}Units`, numbers),
    level: levelOf(booked_units, limit_units),
    filled: Math.min(100, (booked_units / Math.max(limit_units, override_units ?? 0, 1)) * 100),
  }
}

/** Returns the level: amber (`full`) at the limit, red (`over`) above it. */
function levelOf(units: number, limit: number): Meter['level'] {
  if (units > limit) return 'over'
  return units === limit ? 'full' : 'open'
}
