import { useTranslation } from 'react-i18next'
import { ACTION_READERS, type MessageSettings } from '../../domain/messages.ts'
import { Choice } from '../ui/dialogs/choice.tsx'
import { ContactField } from '../ui/dialogs/contact-field.tsx'
import { FieldGroup } from '../ui/field-group.tsx'
import type { SettingsForm } from './settings-form.ts'

const CHOICES = Object.keys(ACTION_READERS) as MessageSettings['student_actions'][]

type ActionReaderFieldsProps = {
  readonly form: SettingsForm
  readonly onChange: (change: Partial<SettingsForm>) => void
}

/** The people who are told what students did on their pages, and the office's address. */
export function ActionReaderFields({ form, onChange }: ActionReaderFieldsProps) {
  const { t } = useTranslation()
  const { messages, office_email } = form
  const select = (chosen: string | null) => {
    const student_actions = CHOICES.find((one) => one === chosen) ?? messages.student_actions
    onChange({ messages: { ...messages, student_actions } })
  }
  return (
    <FieldGroup title={t('messages.told')} hint={t('messages.officeEmailHint')}>
      <Choice
        label={t('messages.told')}
        data={CHOICES.map((one) => ({ value: one, label: t(`messages.tell.${one}`) }))}
        value={messages.student_actions}
        onChange={select}
      />
      <ContactField
        kind="email"
        label={t('messages.officeEmail')}
        value={office_email}
        onChange={(email) => onChange({ office_email: email })}
      />
    </FieldGroup>
  )
}
