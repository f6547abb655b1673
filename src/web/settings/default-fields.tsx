import { useTranslation } from 'react-i18next'
import {
  BREAK_MINUTES,
  CONTINUOUS_MINUTES,
  DAILY_UNITS,
  type Range,
  WEEKLY_UNITS,
} from '../../domain/ranges.ts'
import { NumberField } from '../dialogs/number-field.tsx'
import layout from '../ui/layout.module.css'
import type { SettingsForm } from './settings-form.ts'
import css from './settings-page.module.css'

type DefaultFieldsProps = {
  readonly form: SettingsForm
  readonly onChange: (change: Partial<SettingsForm>) => void
}

/** Limits and breaks that new instructors start with; an empty field means no limit. */
export function DefaultFields({ form, onChange }: DefaultFieldsProps) {
  const { t } = useTranslation()
  const field = (
    name: Exclude<keyof SettingsForm & `default_${string}`, 'default_availability_windows'>,
    label: string,
    { max }: Range,
  ) => (
    <NumberField
      isMinutes={name.endsWith('_minutes')}
      label={label}
      placeholder={t(name === 'default_required_break_minutes' ? 'instructor.noBreak' : 'instructor.none')}
      value={form[name]}
      onChange={(value) => onChange({ [name]: value })}
      max={max}
    />
  )
  return (
    <fieldset className={css.group}>
      <legend>{t('settings.newInstructors')}</legend>
      <p className={css.hint}>{t('settings.newInstructorsHint')}</p>
      <div className={layout.pair}>
        {field('default_max_daily_units', t('instructor.perDay'), DAILY_UNITS)}
        {field('default_max_weekly_units', t('instructor.perWeek'), WEEKLY_UNITS)}
        {field('default_required_break_minutes', t('instructor.break'), BREAK_MINUTES)}
        {field('default_max_continuous_minutes', t('instructor.continuous'), CONTINUOUS_MINUTES)}
      </div>
    </fieldset>
  )
}
