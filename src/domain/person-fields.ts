import type { FieldList } from './fields.ts'

export const PERSON_FIELDS = {
  first_name: { kind: 'name', label: { de: 'Vorname', en: 'First name' }, about: 'The first name.' },
  last_name: { kind: 'name', label: { de: 'Nachname', en: 'Last name' }, about: 'The last name.' },
  email: {
    kind: 'email',
    isNullable: true,
    label: { de: 'E-Mail', en: 'E-mail' },
    about: "An e-mail address for the office's use; it is no login.",
  },
  phone: {
    kind: 'phone',
    isNullable: true,
    label: { de: 'Telefon', en: 'Phone' },
    about: 'A phone number, in any spelling.',
  },
  phone_2: {
    kind: 'phone',
    isNullable: true,
    label: { de: 'Telefon 2', en: 'Phone 2' },
    about: 'A second phone number, in any spelling.',
  },
} as const satisfies FieldList
