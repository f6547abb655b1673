import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { retireUnlessNeeded } from '../data/absences.ts'
import { addVehicle, changeVehicle, deleteVehicle, isInUse } from '../data/vehicles.ts'
import { FailureNotice } from '../ui/failure-notice.tsx'
import { FieldGroup } from '../ui/field-group.tsx'
import { useSchool } from '../ui/school.tsx'
import { DeletedVehicles } from './deleted-vehicles.tsx'
import { NewVehicleRow } from './new-vehicle-row.tsx'
import { newestError } from './newest-error.ts'
import { VehicleRow } from './vehicle-row.tsx'
import css from './vehicles.module.css'

/** The school's vehicles by name. Each change is saved at once. */
export function Vehicles() {
  const { vehicles } = useSchool()
  const { t } = useTranslation()
  const add = useMutation({ mutationFn: addVehicle })
  const change = useMutation({ mutationFn: changeVehicle })
  const remove = useMutation({ mutationFn: deleteVehicle })
  const navigate = useNavigate()
  const retire = useMutation({
    mutationFn: retireUnlessNeeded,
    onSuccess: async (isNeeded, { id }) => {
      if (isNeeded) await navigate({ to: '/absence', search: { vehicle: id, change: true } })
    },
  })
  const error = newestError(retire, remove, change, add)
  return (
    <FieldGroup title={t('vehicle.title')} hint={t('vehicle.hint')}>
      <FailureNotice
        error={error}
        title={t('booking.notSaved')}
        text={isInUse(error) && t('vehicle.inUse')}
      />
      <ul className={css.list}>
        {vehicles.map((vehicle) => (
          <VehicleRow
            key={vehicle.id}
            vehicle={vehicle}
            isBusy={change.isPending}
            onChange={(fields) => change.mutateAsync({ seen: vehicle, change: fields })}
            onRetire={() => retire.mutate(vehicle)}
            onDelete={() => remove.mutate(vehicle)}
          />
        ))}
      </ul>
      <NewVehicleRow isBusy={add.isPending} onSave={add.mutateAsync} />
      <DeletedVehicles />
    </FieldGroup>
  )
}
