import { NumberInput, SimpleGrid } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import css from './instructor-dialog.module.css'
import type { InstructorForm } from './instructor-form.ts'

type LimitFieldsProps = {
  readonly form: InstructorForm
  readonly onChange: (change: Partial<InstructorForm>) => void
}

const DAILY_MAX = 96
const WEEKLY_MAX = 672
const MINUTES_MAX = 1440

/** Ceilings with their overrides, and breaks; an empty field is no limit. */
export function LimitFields({ form, onChange }: LimitFieldsProps) {
  const { t } = useTranslation()
  const field = (
    name: keyof InstructorForm & `${'max' | 'required'}_${string}`,
    label: string,
    max: number,
  ) => (
    <NumberInput
      label={label}
      placeholder={t(placeholderOf(name))}
      value={form[name]}
      onChange={(value) => onChange({ [name]: value === '' ? '' : Number(value) })}
      allowDecimal={false}
      allowNegative={false}
      max={max}
      suffix={max === MINUTES_MAX ? ' min' : ''}
    />
  )
  return (
    <fieldset className={css.group}>
      <legend>{t('instructor.limits')}</legend>
      <SimpleGrid cols={2}>
        {field('max_daily_units', t('instructor.perDay'), DAILY_MAX)}
        {field('max_daily_override', t('instructor.override'), DAILY_MAX)}
        {field('max_weekly_units', t('instructor.perWeek'), WEEKLY_MAX)}
        {field('max_weekly_override', t('instructor.override'), WEEKLY_MAX)}
        {field('required_break_minutes', t('instructor.break'), MINUTES_MAX)}
        {field('max_continuous_minutes', t('instructor.continuous'), MINUTES_MAX)}
      </SimpleGrid>
    </fieldset>
  )
}

function placeholderOf(name: string) {
  if (name === 'required_break_minutes') return 'instructor.noBreak'
  return name.endsWith('override') ? 'instructor.noOverride' : 'instructor.none'
}
