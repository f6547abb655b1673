import { useTranslation } from 'react-i18next'
import { FieldGroup } from '../../ui/field-group.tsx'
import css from './instructor-dialog.module.css'
import type { InstructorForm } from './instructor-form.ts'
import { type Limit, LimitField } from './limit-field.tsx'

const IN_ORDER: readonly Limit[] = [
  'max_daily_units',
  'max_daily_override',
  'max_weekly_units',
  'max_weekly_override',
  'required_break_minutes',
  'max_continuous_minutes',
]

type LimitFieldsProps = {
  readonly form: InstructorForm
  readonly onChange: (change: Partial<InstructorForm>) => void
}

/** Limits, overrides and breaks; an empty field means no limit. */
export function LimitFields({ form, onChange }: LimitFieldsProps) {
  const { t } = useTranslation()
  return (
    <FieldGroup title={t('instructor.limits')}>
      <div className={css.limits}>
        {IN_ORDER.map((limit) => (
          <LimitField
            key={limit}
            limit={limit}
            value={form[limit]}
            onChange={(value) => onChange({ [limit]: value })}
          />
        ))}
      </div>
    </FieldGroup>
  )
}
