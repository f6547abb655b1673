import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { FieldDescription, FieldKind, FieldList, NameOf, OfKind } from '../../../domain/fields.ts'
import { ADDRESS_LENGTH, NAME_LENGTH, TITLE_LENGTH } from '../../../domain/ranges.ts'
import type { FieldLabel } from '../i18n/i18n.ts'
import { ContactField } from './contact-field.tsx'
import { DateField } from './date-field.tsx'
import { SwitchField } from './switch-field.tsx'
import { NotesField, TextField } from './text-fields.tsx'

type Input = {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string | boolean) => void
}

/** The inputs of kinds of fields that need no other. */
const OF_KIND = {
  name: (input: Input) => <TextField {...input} maxLength={NAME_LENGTH.max} required data-autofocus />,
  line: (input: Input) => <TextField {...input} maxLength={TITLE_LENGTH.max} />,
  text: (input: Input) => <NotesField {...input} />,
  address: (input: Input) => <NotesField {...input} maxLength={ADDRESS_LENGTH.max} />,
  email: (input: Input) => <ContactField kind="email" {...input} />,
  phone: (input: Input) => <ContactField kind="tel" {...input} />,
  date: (input: Input) => <DateField isOptional {...input} />,
  flag: ({ label, value, onChange }: Input) => (
    <SwitchField label={label} isOn={Boolean(value)} onChange={onChange} />
  ),
} as const satisfies { readonly [Kind in FieldKind]?: (input: Input) => ReactNode }

/** The inputs of the fields whose kinds have none, and of others that need their own. */
export type OwnFields<List extends FieldList> = Partial<Readonly<Record<NameOf<List>, ReactNode>>> &
  Readonly<Record<Exclude<NameOf<List>, OfKind<List, keyof typeof OF_KIND>>, ReactNode>>

type FieldOfKindProps<List extends FieldList, Values> = {
  readonly fields: List
  readonly name: NameOf<List>
  readonly values: Values
  readonly own: OwnFields<List>
  readonly onChange: (change: Partial<Values>) => void
}

/** The input of a field, its own or that of its kind. */
export function FieldOfKind<List extends FieldList, Values>({
  fields,
  name,
  values,
  own,
  onChange,
}: FieldOfKindProps<List, Values>) {
  const { t } = useTranslation()
  if (name in own) return own[name]
  const { kind } = fields[name] as FieldDescription
  const input = OF_KIND[kind as keyof typeof OF_KIND]
  return input({
    label: t(`field.${name}` as FieldLabel),
    value: (values as Readonly<Record<string, string>>)[name] ?? '',
    onChange: (value) => onChange({ [name]: value } as Partial<Values>),
  })
}
