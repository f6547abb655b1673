import { useTranslation } from 'react-i18next'
import type { Tenant } from '../../contract/tenant.ts'
import { Choice } from '../ui/dialogs/choice.tsx'
import { FieldGroup } from '../ui/field-group.tsx'
import layout from '../ui/layout.module.css'
import { regionName, regionsOf } from '../ui/region-names.ts'
import { useSchool } from '../ui/school.tsx'
import type { SettingsForm } from './settings-form.ts'

const POLICIES: readonly Tenant['holidays'][] = ['ignore', 'warn', 'refuse']

type HolidayFieldsProps = {
  readonly form: SettingsForm
  readonly onChange: (change: Partial<SettingsForm>) => void
}

export function HolidayFields({ form, onChange }: HolidayFieldsProps) {
  const { tenant, format } = useSchool()
  const { t } = useTranslation()
  const regions = regionsOf(tenant.country)
    .map((code) => ({ value: code, label: regionName(code, format), code }))
    .toSorted((one, other) => one.label.localeCompare(other.label, format.locale))
  return (
    <FieldGroup title={t('settings.holidays')}>
      <div className={layout.pair}>
        <Choice
          label={t('settings.onHolidays')}
          data={POLICIES.map((value) => ({ value, label: t(`settings.holidaysAre.${value}`) }))}
          value={form.holidays}
          onChange={(value) => onChange({ holidays: POLICIES.find((one) => one === value) ?? form.holidays })}
        />
        {regions.length > 0 && (
          <Choice
            label={t('field.region')}
            hint={t('settings.regionHint')}
            data={regions}
            value={form.region || null}
            onChange={(region) => onChange({ region: region ?? '' })}
            clearable
          />
        )}
      </div>
    </FieldGroup>
  )
}
