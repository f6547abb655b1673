import { SimpleGrid, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { EMAIL_LENGTH, NAME_LENGTH, PHONE_LENGTH } from '../../domain/ranges.ts'

type Person = {
  readonly first_name: string
  readonly last_name: string
  readonly email: string
  readonly phone: string
}

type PersonFieldsProps = { readonly value: Person; readonly onChange: (change: Partial<Person>) => void }

/** What is asked of everybody. */
export function PersonFields({ value, onChange }: PersonFieldsProps) {
  const { t } = useTranslation()
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <TextInput
        label={t('person.firstName')}
        value={value.first_name}
        onChange={({ currentTarget }) => onChange({ first_name: currentTarget.value })}
        maxLength={NAME_LENGTH.max}
        required
        data-autofocus
      />
      <TextInput
        label={t('person.lastName')}
        value={value.last_name}
        onChange={({ currentTarget }) => onChange({ last_name: currentTarget.value })}
        maxLength={NAME_LENGTH.max}
        required
      />
      <TextInput
        label={t('person.phone')}
        type="tel"
        value={value.phone}
        onChange={({ currentTarget }) => onChange({ phone: currentTarget.value })}
        maxLength={PHONE_LENGTH.max}
      />
      <TextInput
        label={t('person.email')}
        type="email"
        value={value.email}
        onChange={({ currentTarget }) => onChange({ email: currentTarget.value })}
        maxLength={EMAIL_LENGTH.max}
      />
    </SimpleGrid>
  )
}
