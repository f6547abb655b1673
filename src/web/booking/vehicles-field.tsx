import { useTranslation } from 'react-i18next'
import { MAX_VEHICLES_OF_AN_APPOINTMENT } from '../../domain/ranges.ts'
import { Choices } from '../ui/dialogs/choices.tsx'
import { useSchool } from '../ui/school.tsx'

type VehiclesFieldProps = {
  readonly value: readonly string[]
  readonly onChange: (ids: readonly string[]) => void
}

/** The vehicles of a lesson; hidden in a school without vehicles. */
export function VehiclesField({ value, onChange }: VehiclesFieldProps) {
  const { vehicles, vehicle } = useSchool()
  const { t } = useTranslation()
  if (vehicles.length === 0 && value.length === 0) return null
  const isFull = value.length >= MAX_VEHICLES_OF_AN_APPOINTMENT
  const offered = vehicles.filter(({ id, active }) => value.includes(id) || (active && !isFull))
  const optionOf = (id: string) => ({ value: id, label: vehicle.get(id)?.name ?? '–' })
  return (
    <Choices
      isInRow
      label={t('field.vehicle_ids')}
      placeholder=""
      data={offered.map(({ id, name, plate }) => ({ value: id, label: name, ...(plate && { hint: plate }) }))}
      chosen={value.map(optionOf)}
      onChange={onChange}
      without={(name) => t('vehicle.without', { name })}
    />
  )
}
