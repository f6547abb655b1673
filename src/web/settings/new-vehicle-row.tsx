import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { NewVehicle } from '../../contract/vehicle.ts'
import { PLATE_LENGTH, VEHICLE_NAME_LENGTH } from '../../domain/ranges.ts'
import { VEHICLE_KINDS } from '../../domain/vehicles.ts'
import { TextField } from '../ui/dialogs/text-fields.tsx'
import { OptionSelect } from '../ui/option-select.tsx'
import { lengthOf } from '../ui/use-length.ts'
import { NewRow } from './new-row.tsx'

const EMPTY: NewVehicleForm = { name: '', kind: 'car', plate: '' }

type NewVehicleForm = Pick<NewVehicle, 'name' | 'kind'> & { readonly plate: string }

type NewVehicleRowProps = {
  readonly isBusy: boolean
  readonly onSave: (vehicle: NewVehicle) => Promise<unknown>
}

/** The button and the fields of a new vehicle. */
export function NewVehicleRow({ isBusy, onSave }: NewVehicleRowProps) {
  const { t } = useTranslation()
  const [form, setForm] = useState(EMPTY)
  const name = form.name.trim()
  const plate = form.plate.trim()
  const isFitting = lengthOf(name) <= VEHICLE_NAME_LENGTH.max && lengthOf(plate) <= PLATE_LENGTH.max
  const about = (field: string) => `${t('vehicle.unnamed')}: ${field}`
  return (
    <NewRow
      add={t('vehicle.add')}
      isTyped={form.name + form.plate !== '' || form.kind !== EMPTY.kind}
      isWhole={name !== '' && isFitting}
      isBusy={isBusy}
      onSave={() => onSave({ name, kind: form.kind, plate: plate || null })}
      onEmpty={() => setForm(EMPTY)}
    >
      <TextField
        aria-label={about(t('field.name'))}
        placeholder={t('field.name')}
        value={form.name}
        maxLength={VEHICLE_NAME_LENGTH.max}
        onChange={(text) => setForm({ ...form, name: text })}
      />
      <OptionSelect
        label={about(t('field.kind'))}
        value={form.kind}
        options={VEHICLE_KINDS.map((kind) => [kind, t(`vehicle.${kind}`)] as const)}
        onChange={(value) => {
          const kind = VEHICLE_KINDS.find((one) => one === value)
          if (kind) setForm({ ...form, kind })
        }}
      />
      <TextField
        aria-label={about(t('field.plate'))}
        placeholder={t('field.plate')}
        value={form.plate}
        maxLength={PLATE_LENGTH.max}
        onChange={(text) => setForm({ ...form, plate: text })}
      />
    </NewRow>
  )
}
