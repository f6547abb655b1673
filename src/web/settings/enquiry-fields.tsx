import { useTranslation } from 'react-i18next'
import { SLUG_LENGTH } from '../../domain/ranges.ts'
import { formAddress } from '../data/enquiries.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { Choices } from '../ui/dialogs/choices.tsx'
import { SwitchField } from '../ui/dialogs/switch-field.tsx'
import { NotesField, TextField } from '../ui/dialogs/text-fields.tsx'
import field from '../ui/field.module.css'
import { FieldGroup } from '../ui/field-group.tsx'
import { allClasses } from '../ui/offered-classes.ts'
import { useSchool } from '../ui/school.tsx'
import { areOriginsWhole, type EnquiryForm, isSlugWhole, snippetFor } from './enquiry-form.ts'
import css from './settings-page.module.css'

type EnquiryFieldsProps = {
  readonly form: EnquiryForm
  readonly onChange: (form: EnquiryForm) => void
}

/** The form for enquiries on the school's website: its address, content, and the sites that may embed it. */
export function EnquiryFields({ form, onChange }: EnquiryFieldsProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const set = (change: Partial<EnquiryForm>) => onChange({ ...form, ...change })
  const options = [...new Set([...allClasses(school), ...form.classes])].map((one) => ({
    value: one,
    label: one,
  }))
  const { slug } = school.tenant.enquiries
  return (
    <FieldGroup title={t('enquirySettings.title')} hint={t('enquirySettings.hint')}>
      <SwitchField
        label={t('enquirySettings.enabled')}
        isOn={form.enabled}
        onChange={(enabled) => set({ enabled })}
      />
      <TextField
        label={t('enquirySettings.slug')}
        description={t('enquirySettings.slugHint')}
        placeholder="fahrschule-nord"
        value={form.slug}
        maxLength={SLUG_LENGTH.max}
        error={!isSlugWhole(form) && t('enquirySettings.slugFault')}
        onChange={(text) => set({ slug: text.toLowerCase() })}
      />
      <Choices
        label={t('enquirySettings.classes')}
        placeholder={t('enquirySettings.anyClass')}
        data={options}
        chosen={options.filter(({ value }) => form.classes.includes(value))}
        onChange={(classes) => set({ classes: [...classes] })}
        without={(label) => t('studentBooking.without', { label })}
      />
      <NotesField label={t('enquirySettings.text')} value={form.text} onChange={(text) => set({ text })} />
      <NotesField
        label={t('enquirySettings.origins')}
        description={t('enquirySettings.originsHint')}
        error={!areOriginsWhole(form) && t('enquirySettings.originsFault')}
        value={form.origins}
        onChange={(origins) => set({ origins })}
      />
      {slug && <Address slug={slug} />}
    </FieldGroup>
  )
}

/** The saved address, and the part of a page that embeds it, to copy. */
function Address({ slug }: { readonly slug: string }) {
  const { tenant } = useSchool()
  const { t } = useTranslation()
  const address = formAddress(slug)
  const title = `${t('enquirySettings.formOf')} ${tenant.name.replace(/["<>&]/g, '')}`
  return (
    <>
      <Copied label={t('enquirySettings.address')} text={address} />
      <Copied label={t('enquirySettings.snippet')} text={snippetFor(address, title)} />
    </>
  )
}

function Copied({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <div className={css.copied}>
      <label>
        {label}
        <input className={field.field} value={text} readOnly onFocus={({ target }) => target.select()} />
      </label>
      <CopyButton text={text} />
    </div>
  )
}
