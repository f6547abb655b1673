import { useTranslation } from 'react-i18next'
import {
  BREAK_MINUTES,
  CONTINUOUS_MINUTES,
  DAILY_UNITS,
  type Range,
  WEEKLY_UNITS,
} from '../../domain/ranges.ts'
import { NumberField } from '../dialogs/number-field.tsx'
import css from './instructor-dialog.module.css'
import type { InstructorForm } from './instructor-form.ts'

type LimitFieldsProps = {
  readonly form: InstructorForm
  readonly onChange: (change: Partial<InstructorForm>) => void
}

/** Ceilings with their overrides, and breaks; an empty field means no limit. */
export function LimitFields({ form, onChange }: LimitFieldsProps) {
  const { t } = useTranslation()
  const field = (
    name: keyof InstructorForm & `${'max' | 'required'}_${string}`,
    label: string,
    { max }: Range,
  ) => (
    <NumberField
      isMinutes={name.endsWith('_minutes')}
      label={label}
      placeholder={t(placeholderOf(name))}
      value={form[name]}
      onChange={(value) => onChange({ [name]: value })}
      max={max}
    />
  )
  return (
    <fieldset className={css.group}>
      <legend>{t('instructor.limits')}</legend>
      <div className={css.limits}>
        {field('max_daily_units', t('instructor.perDay'), DAILY_UNITS)}
        {field('max_daily_override', t('instructor.override'), DAILY_UNITS)}
        {field('max_weekly_units', t('instructor.perWeek'), WEEKLY_UNITS)}
        {field('max_weekly_override', t('instructor.override'), WEEKLY_UNITS)}
        {field('required_break_minutes', t('instructor.break'), BREAK_MINUTES)}
        {field('max_continuous_minutes', t('instructor.continuous'), CONTINUOUS_MINUTES)}
      </div>
    </fieldset>
  )
}

function placeholderOf(name: string) {
  if (name === 'required_break_minutes') return 'instructor.noBreak'
  return name.endsWith('override') ? 'instructor.noOverride' : 'instructor.none'
}
