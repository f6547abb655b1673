import { useTranslation } from 'react-i18next'
import { ADDRESS_LENGTH, NAME_LENGTH } from '../../domain/ranges.ts'
import { GAP_SEVERITIES, RECORD_SIGNERS } from '../../domain/training-record.ts'
import { Choice } from '../ui/dialogs/choice.tsx'
import { SwitchField } from '../ui/dialogs/switch-field.tsx'
import { NotesField, TextField } from '../ui/dialogs/text-fields.tsx'
import { FieldGroup } from '../ui/field-group.tsx'
import type { SettingsForm } from './settings-form.ts'

type RecordFieldsProps = {
  readonly form: SettingsForm
  readonly onChange: (change: Partial<SettingsForm>) => void
}

/** The facts of the school in training records, and its demands on them. */
export function RecordFields({ form, onChange }: RecordFieldsProps) {
  const { t } = useTranslation()
  const { signatures, content } = form.record
  const set = (change: Partial<SettingsForm['record']>) => onChange({ record: { ...form.record, ...change } })
  return (
    <FieldGroup title={t('settings.records')} hint={t('settings.recordsHint')}>
      <NotesField
        label={t('field.address')}
        value={form.address}
        maxLength={ADDRESS_LENGTH.max}
        onChange={(address) => onChange({ address })}
      />
      <TextField
        label={t('settings.responsible')}
        value={form.responsible}
        maxLength={NAME_LENGTH.max}
        onChange={(responsible) => onChange({ responsible })}
      />
      {RECORD_SIGNERS.map((signer) => (
        <SwitchField
          key={signer}
          label={t(`settings.signed.${signer}`)}
          isOn={signatures.includes(signer)}
          onChange={(isOn) =>
            set({
              signatures: RECORD_SIGNERS.filter((one) => (one === signer ? isOn : signatures.includes(one))),
            })
          }
        />
      ))}
      <Choice
        label={t('settings.driveNotes')}
        data={GAP_SEVERITIES.map((value) => ({ value, label: t(`settings.content.${value}`) }))}
        value={content}
        onChange={(chosen) => set({ content: GAP_SEVERITIES.find((one) => one === chosen) ?? content })}
      />
    </FieldGroup>
  )
}
