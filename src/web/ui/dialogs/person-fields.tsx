import { type NameOf, namesOf } from '../../../domain/fields.ts'
import { PERSON_FIELDS } from '../../../domain/person-fields.ts'
import layout from '../layout.module.css'
import { FieldOfKind } from './field-of-kind.tsx'

type PersonField = NameOf<typeof PERSON_FIELDS>
type Person = { readonly [Name in PersonField]: string }

type PersonFieldsProps = { readonly value: Person; readonly onChange: (change: Partial<Person>) => void }

const PLACES: Readonly<Record<PersonField, number>> = {
  first_name: 1,
  last_name: 2,
  phone: 3,
  phone_2: 4,
  email: 5,
}
const IN_ORDER = namesOf(PERSON_FIELDS).toSorted((one, other) => PLACES[one] - PLACES[other])

export function PersonFields({ value, onChange }: PersonFieldsProps) {
  return (
    <div className={layout.pair}>
      {IN_ORDER.map((name) => (
        <FieldOfKind
          key={name}
          fields={PERSON_FIELDS}
          name={name}
          values={value}
          own={{}}
          onChange={onChange}
        />
      ))}
    </div>
  )
}
