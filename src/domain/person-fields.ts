import type { FieldList } from './fields.ts'

export const PERSON_FIELDS = {
  first_name: { kind: 'name', about: 'The first name.' },
  last_name: { kind: 'name', about: 'The last name.' },
  email: {
    kind: 'email',
    isNullable: true,
    about: "An e-mail address for the office's use; it is no login.",
  },
  phone: { kind: 'phone', isNullable: true, about: 'A phone number, in any spelling.' },
  phone_2: { kind: 'phone', isNullable: true, about: 'A second phone number, in any spelling.' },
} as const satisfies FieldList
