import { useTranslation } from 'react-i18next'
import { MESSAGE_KINDS } from '../../domain/messages.ts'
import { MAX_REMINDERS, REMINDER_HOURS } from '../../domain/ranges.ts'
import { SwitchField } from '../ui/dialogs/switch-field.tsx'
import { TextField } from '../ui/dialogs/text-fields.tsx'
import { TimeField } from '../ui/dialogs/time-field.tsx'
import { FieldGroup } from '../ui/field-group.tsx'
import layout from '../ui/layout.module.css'
import css from './message-fields.module.css'
import { areReminderHours, type MessagesForm } from './messages-form.ts'

type MessageFieldsProps = {
  readonly messages: MessagesForm
  readonly onChange: (messages: MessagesForm) => void
}

/** The kinds of messages that the school sends, and their times. */
export function MessageFields({ messages, onChange }: MessageFieldsProps) {
  const { t } = useTranslation()
  const edit = (change: Partial<MessagesForm>) => onChange({ ...messages, ...change })
  return (
    <FieldGroup title={t('messages.title')} hint={t('messages.hint')}>
      <div className={css.switches}>
        {MESSAGE_KINDS.map((kind) => (
          <SwitchField
            key={kind}
            label={t(`messages.kind.${kind}`)}
            isOn={messages[kind]}
            onChange={(isOn) => edit({ [kind]: isOn })}
          />
        ))}
      </div>
      <TextField
        label={t('messages.reminderHours')}
        description={t('messages.reminderHint')}
        value={messages.reminder_hours}
        error={
          !areReminderHours(messages.reminder_hours) &&
          t('messages.reminderFault', { ...REMINDER_HOURS, most: MAX_REMINDERS })
        }
        maxLength={40}
        onChange={(reminder_hours) => edit({ reminder_hours })}
      />
      <div className={layout.pair}>
        <TimeField
          label={t('messages.quietFrom')}
          step={30}
          value={messages.quiet_from}
          error={messages.quiet_from === '' && messages.quiet_to !== '' && t('fault.missing')}
          onChange={(quiet_from) => edit({ quiet_from })}
        />
        <TimeField
          label={t('messages.quietTo')}
          step={30}
          value={messages.quiet_to}
          error={messages.quiet_to === '' && messages.quiet_from !== '' && t('fault.missing')}
          onChange={(quiet_to) => edit({ quiet_to })}
        />
      </div>
    </FieldGroup>
  )
}
