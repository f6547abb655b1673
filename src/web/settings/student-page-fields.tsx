import { useTranslation } from 'react-i18next'
import { MAP_URL } from '../../domain/map-link.ts'
import { MAP_URL_LENGTH } from '../../domain/ranges.ts'
import { ContactField } from '../ui/dialogs/contact-field.tsx'
import { NotesField, TextField } from '../ui/dialogs/text-fields.tsx'
import { FieldGroup } from '../ui/field-group.tsx'
import type { SettingsForm } from './settings-form.ts'

type StudentPageFieldsProps = {
  readonly form: SettingsForm
  readonly onChange: (change: Partial<SettingsForm>) => void
}

/** The contact data and terms that students see on their page. */
export function StudentPageFields({ form, onChange }: StudentPageFieldsProps) {
  const { t } = useTranslation()
  return (
    <FieldGroup title={t('settings.studentPage')}>
      <ContactField
        kind="tel"
        label={t('field.phone')}
        value={form.phone}
        onChange={(phone) => onChange({ phone })}
      />
      <ContactField
        kind="email"
        label={t('field.email')}
        value={form.email}
        onChange={(email) => onChange({ email })}
      />
      <NotesField
        label={t('settings.terms')}
        value={form.cancellation_terms}
        onChange={(cancellation_terms) => onChange({ cancellation_terms })}
      />
      <TextField
        label={t('field.map_url')}
        description={t('settings.mapUrlHint')}
        placeholder="https://…/{place}"
        value={form.map_url}
        maxLength={MAP_URL_LENGTH.max}
        error={form.map_url.trim() !== '' && !MAP_URL.test(form.map_url.trim()) && t('settings.mapUrlFault')}
        onChange={(map_url) => onChange({ map_url })}
      />
    </FieldGroup>
  )
}
