import { useTranslation } from 'react-i18next'
import { BREAK_MINUTES, CONTINUOUS_MINUTES, DAILY_UNITS, WEEKLY_UNITS } from '../../../domain/ranges.ts'
import { NumberField } from '../../ui/dialogs/number-field.tsx'

/** The lowest limit: an instructor with no units at all would be inactive instead. */
const FEWEST_UNITS = { min: 1 }

const LIMITS = {
  max_daily_units: {
    label: 'field.max_daily_units',
    none: 'instructor.none',
    ...DAILY_UNITS,
    ...FEWEST_UNITS,
  },
  max_daily_override: {
    label: 'instructor.override',
    none: 'instructor.noOverride',
    ...DAILY_UNITS,
    ...FEWEST_UNITS,
  },
  max_weekly_units: {
    label: 'field.max_weekly_units',
    none: 'instructor.none',
    ...WEEKLY_UNITS,
    ...FEWEST_UNITS,
  },
  max_weekly_override: {
    label: 'instructor.override',
    none: 'instructor.noOverride',
    ...WEEKLY_UNITS,
    ...FEWEST_UNITS,
  },
  required_break_minutes: {
    label: 'field.required_break_minutes',
    none: 'instructor.noBreak',
    ...BREAK_MINUTES,
  },
  max_continuous_minutes: {
    label: 'field.max_continuous_minutes',
    none: 'instructor.none',
    ...CONTINUOUS_MINUTES,
  },
} as const

export type Limit = keyof typeof LIMITS

type LimitFieldProps = {
  readonly limit: Limit
  readonly value: number | ''
  readonly onChange: (value: number | '') => void
}

/** A limit or break; an empty field means none. */
export function LimitField({ limit, value, onChange }: LimitFieldProps) {
  const { t } = useTranslation()
  const { label, none, min, max } = LIMITS[limit]
  return (
    <NumberField
      isMinutes={limit.endsWith('_minutes')}
      label={t(label)}
      placeholder={t(none)}
      value={value}
      onChange={onChange}
      min={min}
      max={max}
    />
  )
}
