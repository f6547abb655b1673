import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { NewLocation } from '../../contract/location.ts'
import { NAME_LENGTH, TITLE_LENGTH } from '../../domain/ranges.ts'
import { TextField } from '../ui/dialogs/text-fields.tsx'
import { lengthOf } from '../ui/use-length.ts'
import { NewRow } from './new-row.tsx'

const EMPTY = { name: '', address: '' }

type NewLocationRowProps = {
  readonly isBusy: boolean
  readonly onSave: (location: NewLocation) => Promise<unknown>
}

/** The button and the fields of a new branch; its travel times are entered in its row. */
export function NewLocationRow({ isBusy, onSave }: NewLocationRowProps) {
  const { t } = useTranslation()
  const [form, setForm] = useState(EMPTY)
  const name = form.name.trim()
  const address = form.address.trim()
  const isFitting = lengthOf(name) <= NAME_LENGTH.max && lengthOf(address) <= TITLE_LENGTH.max
  const about = (field: string) => `${t('location.unnamed')}: ${field}`
  return (
    <NewRow
      add={t('location.add')}
      isTyped={form.name + form.address !== ''}
      isWhole={name !== '' && isFitting}
      isBusy={isBusy}
      onSave={() => onSave({ name, address: address || null })}
      onEmpty={() => setForm(EMPTY)}
    >
      <TextField
        aria-label={about(t('field.name'))}
        placeholder={t('field.name')}
        value={form.name}
        maxLength={NAME_LENGTH.max}
        onChange={(text) => setForm({ ...form, name: text })}
      />
      <TextField
        aria-label={about(t('location.address'))}
        placeholder={t('location.address')}
        value={form.address}
        maxLength={TITLE_LENGTH.max}
        onChange={(text) => setForm({ ...form, address: text })}
      />
    </NewRow>
  )
}
