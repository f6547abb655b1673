import { useTranslation } from 'react-i18next'
import type { Tenant } from '../../contract/tenant.ts'
import { Choice } from '../ui/dialogs/choice.tsx'
import { FieldGroup } from '../ui/field-group.tsx'

const CHOICES: readonly Tenant['busy_calendars'][] = ['ignore', 'warn', 'refuse']

type BusyCalendarsFieldProps = {
  readonly value: Tenant['busy_calendars']
  readonly onChange: (value: Tenant['busy_calendars']) => void
}

export function BusyCalendarsField({ value, onChange }: BusyCalendarsFieldProps) {
  const { t } = useTranslation()
  return (
    <FieldGroup title={t('settings.busyCalendars')}>
      <Choice
        label={t('settings.onBusy')}
        hint={t('settings.busyHint')}
        data={CHOICES.map((one) => ({ value: one, label: t(`settings.busyAre.${one}`) }))}
        value={value}
        onChange={(chosen) => onChange(CHOICES.find((one) => one === chosen) ?? value)}
      />
    </FieldGroup>
  )
}
