import { useTranslation } from 'react-i18next'
import { MAX_CONTACTS, NAME_LENGTH } from '../../domain/ranges.ts'
import { RELATIONS, type StudentContact } from '../../domain/student-contacts.ts'
import { Choice } from '../ui/dialogs/choice.tsx'
import { ContactField } from '../ui/dialogs/contact-field.tsx'
import { ListFields, type RowProps } from '../ui/dialogs/list-fields.tsx'
import { SwitchField } from '../ui/dialogs/switch-field.tsx'
import { TextField } from '../ui/dialogs/text-fields.tsx'
import { FieldGroup } from '../ui/field-group.tsx'
import layout from '../ui/layout.module.css'
import { RemoveButton } from '../ui/remove-button.tsx'

type ContactFieldsProps = {
  readonly contacts: readonly StudentContact[]
  readonly onChange: (contacts: readonly StudentContact[]) => void
}

const BLANK: StudentContact = {
  name: '',
  relation: 'guardian',
  phone: null,
  email: null,
  gets_messages: false,
}

/** The people beside a student. */
export function ContactFields({ contacts, onChange }: ContactFieldsProps) {
  const { t } = useTranslation()
  return (
    <FieldGroup title={t('contacts.title')}>
      <ListFields
        values={contacts}
        className={undefined}
        add={t('contacts.add')}
        max={MAX_CONTACTS}
        added={BLANK}
        row={ContactRow}
        onChange={onChange}
      />
    </FieldGroup>
  )
}

function ContactRow({ value, isNew, onChange, onRemove }: RowProps<StudentContact>) {
  const { name, relation, phone, email, gets_messages } = value
  const { t } = useTranslation()
  return (
    <li>
      <div className={layout.pair}>
        <TextField
          label={t('contacts.name')}
          value={name}
          required
          maxLength={NAME_LENGTH.max}
          autoFocus={isNew}
          onChange={(text) => onChange({ name: text })}
        />
        <Choice
          label={t('contacts.relation')}
          data={RELATIONS.map((one) => ({ value: one, label: t(`contacts.${one}`) }))}
          value={relation}
          onChange={(chosen) => onChange({ relation: RELATIONS.find((one) => one === chosen) ?? 'other' })}
        />
        <ContactField
          kind="tel"
          label={t('field.phone')}
          value={phone ?? ''}
          onChange={(text) => onChange({ phone: text })}
        />
        <ContactField
          kind="email"
          label={t('field.email')}
          value={email ?? ''}
          onChange={(text) => onChange({ email: text })}
        />
        <SwitchField
          label={t('contacts.getsMessages')}
          isOn={gets_messages}
          onChange={(isOn) => onChange({ gets_messages: isOn })}
        />
        <RemoveButton label={t('contacts.remove', { name })} onClick={onRemove} />
      </div>
    </li>
  )
}

/** Returns the contacts for the wire: texts trimmed, empty ones null. */
export function contactsOf(contacts: readonly StudentContact[]): readonly StudentContact[] {
  return contacts.map(({ name, phone, email, ...rest }) => ({
    name: name.trim(),
    relation: rest.relation,
    phone: phone?.trim() || null,
    email: email?.trim() || null,
    gets_messages: rest.gets_messages,
  }))
}
