import { useTranslation } from 'react-i18next'
import { PACK_LANGUAGES } from '../../domain/pack-languages.ts'
import { NAME_LENGTH } from '../../domain/ranges.ts'
import { Choice } from '../ui/dialogs/choice.tsx'
import { TextField } from '../ui/dialogs/text-fields.tsx'
import facts from '../ui/facts.module.css'
import { FieldGroup } from '../ui/field-group.tsx'
import { languageName } from '../ui/language-name.ts'
import layout from '../ui/layout.module.css'
import { useSchool } from '../ui/school.tsx'
import { PlaceField } from './place-field.tsx'
import type { SettingsForm } from './settings-form.ts'
import css from './settings-page.module.css'

type SchoolFieldsProps = {
  readonly form: SettingsForm
  readonly onChange: (change: Partial<SettingsForm>) => void
}

export function SchoolFields({ form, onChange }: SchoolFieldsProps) {
  const { tenant, format } = useSchool()
  const { t } = useTranslation()
  const countries = new Intl.DisplayNames(format.locale, { type: 'region' })
  // A locale may include a country: `fr-CH`.
  const locales = [...new Set([...PACK_LANGUAGES, tenant.locale])]
  const fixed = [
    [t('settings.country'), countries.of(tenant.country)],
    [t('settings.unit'), t('lesson.minutes', { count: tenant.unit_minutes })],
  ] as const
  return (
    <FieldGroup title={t('settings.school')}>
      <div className={layout.pair}>
        <TextField
          label={t('field.name')}
          value={form.name}
          onChange={(name) => onChange({ name })}
          maxLength={NAME_LENGTH.max}
          required
        />
        <Choice
          label={t('field.locale')}
          hint={t('settings.languageHint')}
          data={locales.map((locale) => ({ value: locale, label: languageName(locale, format) }))}
          value={form.locale}
          onChange={(locale) => onChange({ locale: locale ?? form.locale })}
        />
      </div>
      <PlaceField value={form.place} onChange={(place) => onChange({ place })} />
      <dl className={`${facts.facts} ${css.facts}`}>
        {fixed.map(([name, value]) => (
          <div key={name} className={facts.line}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </FieldGroup>
  )
}
