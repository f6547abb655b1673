import { useTranslation } from 'react-i18next'
import type { Tenant } from '../../contract/tenant.ts'
import { Choice } from '../ui/dialogs/choice.tsx'
import { FieldGroup } from '../ui/field-group.tsx'

const CHOICES: readonly Tenant['instructors_may'][] = ['nothing', 'own_students', 'any_student']

type InstructorsMayFieldProps = {
  readonly value: Tenant['instructors_may']
  readonly onChange: (value: Tenant['instructors_may']) => void
}

export function InstructorsMayField({ value, onChange }: InstructorsMayFieldProps) {
  const { t } = useTranslation()
  return (
    <FieldGroup title={t('settings.instructorsMay')}>
      <Choice
        label={t('settings.ownBookings')}
        hint={t('settings.ownBookingsHint')}
        data={CHOICES.map((one) => ({ value: one, label: t(`settings.mayBook.${one}`) }))}
        value={value}
        onChange={(chosen) => onChange(CHOICES.find((one) => one === chosen) ?? value)}
      />
    </FieldGroup>
  )
}
