import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Vehicle, VehicleChange } from '../../../contract/vehicle.ts'
import { PLATE_LENGTH, VEHICLE_NAME_LENGTH } from '../../../domain/ranges.ts'
import { VEHICLE_KINDS } from '../../../domain/vehicles.ts'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/dialogs/choice.tsx'
import { SwitchField } from '../../ui/dialogs/switch-field.tsx'
import { TextField } from '../../ui/dialogs/text-fields.tsx'
import { RemoveButton } from '../../ui/remove-button.tsx'
import { lengthOf } from '../../ui/use-length.ts'
import { VehicleDetails } from './vehicle-details.tsx'
import css from './vehicles.module.css'

type VehicleRowProps = {
  readonly vehicle: Vehicle
  readonly isBusy: boolean
  readonly onChange: (change: VehicleChange) => void
  readonly onDelete: () => void
}

/** A vehicle to edit in place. A field is saved on blur. */
export function VehicleRow({ vehicle, isBusy, onChange, onDelete }: VehicleRowProps) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const [typed, setTyped] = useState<{ readonly name?: string; readonly plate?: string }>({})
  const { name = vehicle.name, plate = vehicle.plate ?? '' } = typed
  const about = (field: string) => `${vehicle.name}: ${field}`
  const save = () => {
    const isWhole = name.trim() !== '' && lengthOf(name) <= VEHICLE_NAME_LENGTH.max
    if (!isWhole || lengthOf(plate) > PLATE_LENGTH.max) return
    const change = { name: name.trim(), plate: plate.trim() || null }
    setTyped({})
    if (change.name !== vehicle.name || change.plate !== vehicle.plate) onChange(change)
  }
  return (
    <li className={css.row} data-inactive={!vehicle.active || undefined} onBlur={save}>
      <TextField
        aria-label={about(t('field.name'))}
        value={name}
        maxLength={VEHICLE_NAME_LENGTH.max}
        error={name.trim() === '' && t('fault.missing')}
        onChange={(text) => setTyped({ ...typed, name: text })}
      />
      <Choice
        isLabelHidden
        label={about(t('field.kind'))}
        data={VEHICLE_KINDS.map((kind) => ({ value: kind, label: t(`vehicle.${kind}`) }))}
        value={vehicle.kind}
        onChange={(kind) => {
          const chosen = VEHICLE_KINDS.find((one) => one === kind)
          if (chosen && chosen !== vehicle.kind) onChange({ kind: chosen })
        }}
      />
      <TextField
        aria-label={about(t('field.plate'))}
        placeholder={t('field.plate')}
        value={plate}
        maxLength={PLATE_LENGTH.max}
        onChange={(text) => setTyped({ ...typed, plate: text })}
      />
      <SwitchField
        label={t('vehicle.active')}
        name={about(t('vehicle.active'))}
        isOn={vehicle.active}
        onChange={(active) => onChange({ active })}
      />
      <Button
        look="bare"
        icon="edit"
        aria-label={about(t('vehicle.details'))}
        title={t('vehicle.details')}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      />
      <RemoveButton label={t('vehicle.delete', { name: vehicle.name })} onClick={onDelete} />
      {isOpen && <VehicleDetails key={vehicle.version} vehicle={vehicle} isBusy={isBusy} onSave={onChange} />}
    </li>
  )
}
