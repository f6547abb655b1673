import { useTranslation } from 'react-i18next'
import { LimitField } from '../people/instructors/limit-field.tsx'
import { FieldGroup } from '../ui/field-group.tsx'
import layout from '../ui/layout.module.css'
import type { SettingsForm } from './settings-form.ts'

const IN_ORDER = [
  'max_daily_units',
  'max_weekly_units',
  'required_break_minutes',
  'max_continuous_minutes',
] as const

type DefaultFieldsProps = {
  readonly form: SettingsForm
  readonly onChange: (change: Partial<SettingsForm>) => void
}

/** Limits and breaks of new instructors; an empty field means no limit. */
export function DefaultFields({ form, onChange }: DefaultFieldsProps) {
  const { t } = useTranslation()
  return (
    <FieldGroup title={t('settings.newInstructors')} hint={t('settings.newInstructorsHint')}>
      <div className={layout.pair}>
        {IN_ORDER.map((limit) => (
          <LimitField
            key={limit}
            limit={limit}
            value={form[`default_${limit}`]}
            onChange={(value) => onChange({ [`default_${limit}`]: value })}
          />
        ))}
      </div>
    </FieldGroup>
  )
}
