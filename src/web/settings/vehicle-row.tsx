import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Vehicle, VehicleChange } from '../../contract/vehicle.ts'
import { PLATE_LENGTH, VEHICLE_NAME_LENGTH } from '../../domain/ranges.ts'
import { VEHICLE_KINDS } from '../../domain/vehicles.ts'
import { Button } from '../ui/button.tsx'
import { Choice } from '../ui/dialogs/choice.tsx'
import { SwitchField } from '../ui/dialogs/switch-field.tsx'
import { TextField } from '../ui/dialogs/text-fields.tsx'
import { RemoveButton } from '../ui/remove-button.tsx'
import { lengthOf } from '../ui/use-length.ts'
import { useRow } from './use-row.ts'
import { VehicleDetails } from './vehicle-details.tsx'
import css from './vehicles.module.css'

type VehicleRowProps = {
  readonly vehicle: Vehicle
  readonly isBusy: boolean
  /** Rejects if the service rejects the change. */
  readonly onChange: (change: VehicleChange) => Promise<unknown>
  readonly onRetire: () => void
  readonly onDelete: () => void
}

/** A vehicle to edit in place. A field is saved on blur. */
export function VehicleRow({ vehicle, isBusy, onChange, onRetire, onDelete }: VehicleRowProps) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  // Closed details stay, with what is typed.
  const [wasOpen, setWasOpen] = useState(false)
  const { form, edit, save, send } = useRow(vehicle, { formOf, valuesOf, isWhole, onChange })
  const about = (field: string) => `${vehicle.name}: ${field}`
  return (
    <li className={css.row} data-inactive={!vehicle.active || undefined} onBlur={save}>
      <TextField
        aria-label={about(t('field.name'))}
        value={form.name}
        maxLength={VEHICLE_NAME_LENGTH.max}
        error={form.name.trim() === '' && t('fault.missing')}
        onChange={(name) => edit({ name })}
      />
      <Choice
        isLabelHidden
        label={about(t('field.kind'))}
        data={VEHICLE_KINDS.map((kind) => ({ value: kind, label: t(`vehicle.${kind}`) }))}
        value={vehicle.kind}
        onChange={(kind) => {
          const chosen = VEHICLE_KINDS.find((one) => one === kind)
          if (chosen && chosen !== vehicle.kind) send({ kind: chosen })
        }}
      />
      <TextField
        aria-label={about(t('field.plate'))}
        placeholder={t('field.plate')}
        value={form.plate}
        maxLength={PLATE_LENGTH.max}
        onChange={(plate) => edit({ plate })}
      />
      <SwitchField
        label={t('vehicle.active')}
        name={about(t('vehicle.active'))}
        isOn={vehicle.active}
        onChange={(active) => (active ? send({ active }) : onRetire())}
      />
      <Button
        look="bare"
        icon="edit"
        aria-label={about(t('vehicle.details'))}
        title={t('vehicle.details')}
        aria-expanded={isOpen}
        onClick={() => {
          setOpen(!isOpen)
          setWasOpen(true)
        }}
      />
      <RemoveButton label={t('vehicle.delete', { name: vehicle.name })} onClick={onDelete} />
      {wasOpen && (
        <div className={css.folded} hidden={!isOpen}>
          <VehicleDetails vehicle={vehicle} isBusy={isBusy} onChange={onChange} />
        </div>
      )}
    </li>
  )
}

type Row = { readonly name: string; readonly plate: string }

function formOf({ name, plate }: Vehicle): Row {
  return { name, plate: plate ?? '' }
}

function valuesOf({ name, plate }: Row): VehicleChange {
  return { name: name.trim(), plate: plate.trim() || null }
}

function isWhole({ name, plate }: Row): boolean {
  const isNamed = name.trim() !== '' && lengthOf(name) <= VEHICLE_NAME_LENGTH.max
  return isNamed && lengthOf(plate) <= PLATE_LENGTH.max
}
