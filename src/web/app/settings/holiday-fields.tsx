import { useTranslation } from 'react-i18next'
import type { Tenant } from '../../../contract/tenant.ts'
import { Choice } from '../../ui/dialogs/choice.tsx'
import { TextField } from '../../ui/dialogs/text-fields.tsx'
import { FieldGroup } from '../../ui/field-group.tsx'
import layout from '../../ui/layout.module.css'
import { useSchool } from '../../ui/school.tsx'
import type { SettingsForm } from './settings-form.ts'

const POLICIES: readonly Tenant['holidays'][] = ['ignore', 'warn', 'refuse']

type HolidayFieldsProps = {
  readonly form: SettingsForm
  readonly onChange: (change: Partial<SettingsForm>) => void
}

export function HolidayFields({ form, onChange }: HolidayFieldsProps) {
  const { tenant } = useSchool()
  const { t } = useTranslation()
  return (
    <FieldGroup title={t('settings.holidays')}>
      <div className={layout.pair}>
        <Choice
          label={t('settings.onHolidays')}
          data={POLICIES.map((value) => ({ value, label: t(`settings.holidaysAre.${value}`) }))}
          value={form.holidays}
          onChange={(value) => onChange({ holidays: POLICIES.find((one) => one === value) ?? form.holidays })}
        />
        <TextField
          label={t('field.region')}
          description={t('settings.regionHint', { country: tenant.country })}
          value={form.region}
          placeholder={`${tenant.country}-`}
          maxLength={6}
          onChange={(region) => onChange({ region })}
        />
      </div>
    </FieldGroup>
  )
}
