import type { NameOf } from '../../../domain/fields.ts'
import { PERSON_FIELDS } from '../../../domain/person-fields.ts'
import layout from '../layout.module.css'
import { FieldOfKind } from './field-of-kind.tsx'

type PersonField = NameOf<typeof PERSON_FIELDS>
type Person = { readonly [Name in PersonField]: string }

type PersonFieldsProps = { readonly value: Person; readonly onChange: (change: Partial<Person>) => void }

const IN_ORDER: readonly PersonField[] = ['first_name', 'last_name', 'phone', 'phone_2', 'email']

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
