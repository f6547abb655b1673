import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { addVehicle, changeVehicle, deleteVehicle, isInUse } from '../../data/vehicles.ts'
import { Button } from '../../ui/button.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import group from '../../ui/group.module.css'
import { useSchool } from '../../ui/school.tsx'
import { DeletedVehicles } from './deleted-vehicles.tsx'
import { VehicleRow } from './vehicle-row.tsx'
import css from './vehicles.module.css'

/** The school's vehicles by name. Each change is saved at once. */
export function Vehicles() {
  const { vehicles } = useSchool()
  const { t } = useTranslation()
  const add = useMutation({ mutationFn: addVehicle })
  const change = useMutation({ mutationFn: changeVehicle })
  const remove = useMutation({ mutationFn: deleteVehicle })
  const error = add.error ?? change.error ?? remove.error
  return (
    <fieldset className={group.group}>
      <legend>{t('vehicle.title')}</legend>
      <p className={group.hint}>{t('vehicle.hint')}</p>
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
            onChange={(fields) => change.mutate({ seen: vehicle, change: fields })}
            onDelete={() => remove.mutate(vehicle)}
          />
        ))}
      </ul>
      <Button isBusy={add.isPending} onClick={() => add.mutate({ name: t('vehicle.unnamed'), kind: 'car' })}>
        {t('vehicle.add')}
      </Button>
      <DeletedVehicles />
    </fieldset>
  )
}
