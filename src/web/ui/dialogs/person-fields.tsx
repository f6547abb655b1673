import { useTranslation } from 'react-i18next'
import { NAME_LENGTH } from '../../../domain/ranges.ts'
import layout from '../layout.module.css'
import { ContactField } from './contact-field.tsx'
import { TextField } from './text-fields.tsx'

type Person = {
  readonly first_name: string
  readonly last_name: string
  readonly email: string
  readonly phone: string
  readonly phone_2: string
}

type PersonFieldsProps = { readonly value: Person; readonly onChange: (change: Partial<Person>) => void }

export function PersonFields({ value, onChange }: PersonFieldsProps) {
  const { t } = useTranslation()
  return (
    <div className={layout.pair}>
      <TextField
        label={t('field.first_name')}
        value={value.first_name}
        onChange={(first_name) => onChange({ first_name })}
        maxLength={NAME_LENGTH.max}
        required
        data-autofocus
      />
      <TextField
        label={t('field.last_name')}
        value={value.last_name}
        onChange={(last_name) => onChange({ last_name })}
        maxLength={NAME_LENGTH.max}
        required
      />
      <ContactField
        kind="tel"
        label={t('field.phone')}
        value={value.phone}
        onChange={(phone) => onChange({ phone })}
      />
      <ContactField
        kind="tel"
        label={t('field.phone_2')}
        value={value.phone_2}
        onChange={(phone_2) => onChange({ phone_2 })}
      />
      <ContactField
        kind="email"
        label={t('field.email')}
        value={value.email}
        onChange={(email) => onChange({ email })}
      />
    </div>
  )
}
