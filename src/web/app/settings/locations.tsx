import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Location, LocationChange } from '../../../contract/location.ts'
import { NAME_LENGTH, TITLE_LENGTH, TRAVEL_MINUTES } from '../../../domain/ranges.ts'
import { addLocation, changeLocation, deleteLocation } from '../../data/locations.ts'
import { isInUse } from '../../data/vehicles.ts'
import { Button } from '../../ui/button.tsx'
import { NumberField } from '../../ui/dialogs/number-field.tsx'
import { TextField } from '../../ui/dialogs/text-fields.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import group from '../../ui/group.module.css'
import { useSchool } from '../../ui/school.tsx'
import { lengthOf } from '../../ui/use-length.ts'
import css from './locations.module.css'

/** The school's branches and the minutes between them. Each change is saved at once. */
export function Locations() {
  const { t } = useTranslation()
  const { locations } = useSchool()
  const add = useMutation({ mutationFn: addLocation })
  const change = useMutation({ mutationFn: changeLocation })
  const remove = useMutation({ mutationFn: deleteLocation })
  const error = add.error ?? change.error ?? remove.error
  return (
    <fieldset className={group.group}>
      <legend>{t('location.title')}</legend>
      <p className={group.hint}>{t('location.hint')}</p>
      <FailureNotice
        error={error}
        title={t('booking.notSaved')}
        text={isInUse(error) && t('location.inUse')}
      />
      <ul className={css.list}>
        {locations.map((location) => (
          <LocationRow
            key={`${location.id} ${location.version}`}
            location={location}
            others={locations.filter(({ id }) => id !== location.id)}
            onChange={(fields) => change.mutate({ seen: location, change: fields })}
            onDelete={() => remove.mutate(location)}
          />
        ))}
      </ul>
      <Button isBusy={add.isPending} onClick={() => add.mutate({ name: t('location.unnamed') })}>
        {t('location.add')}
      </Button>
    </fieldset>
  )
}

type LocationRowProps = {
  readonly location: Location
  readonly others: readonly Location[]
  readonly onChange: (change: LocationChange) => void
  readonly onDelete: () => void
}

/** A branch to edit in place. A field is saved on blur. */
function LocationRow({ location, others, onChange, onDelete }: LocationRowProps) {
  const { t } = useTranslation()
  const [name, setName] = useState(location.name)
  const [address, setAddress] = useState(location.address ?? '')
  const [ways, setWays] = useState<Location['travel_minutes']>(location.travel_minutes)
  const about = (field: string) => `${location.name}: ${field}`
  const save = () => {
    const isWhole = name.trim() !== '' && lengthOf(name) <= NAME_LENGTH.max
    if (!isWhole || lengthOf(address) > TITLE_LENGTH.max) return
    const wanted = { name: name.trim(), address: address.trim() || null, travel_minutes: ways }
    const change = Object.fromEntries(
      Object.entries(wanted).filter(
        ([field, value]) => JSON.stringify(value) !== JSON.stringify(location[field as keyof Location]),
      ),
    )
    if (Object.keys(change).length > 0) onChange(change)
  }
  return (
    <li className={css.row} onBlur={save}>
      <TextField
        aria-label={about(t('field.name'))}
        value={name}
        maxLength={NAME_LENGTH.max}
        error={name.trim() === '' && t('fault.missing')}
        onChange={setName}
      />
      <TextField
        aria-label={about(t('location.address'))}
        placeholder={t('location.address')}
        value={address}
        maxLength={TITLE_LENGTH.max}
        onChange={setAddress}
      />
      <Button
        look="bare"
        icon="close"
        aria-label={t('location.delete', { name: location.name })}
        onClick={onDelete}
      />
      {others.length > 0 && (
        <div className={css.ways}>
          {others.map(({ id, name: other }) => (
            <NumberField
              key={id}
              isMinutes
              label={t('location.way', { name: other })}
              value={ways[id] ?? ''}
              {...TRAVEL_MINUTES}
              onChange={(minutes) => {
                const { [id]: _, ...rest } = ways
                const next = minutes === '' ? rest : { ...rest, [id]: minutes }
                setWays(Object.fromEntries(Object.entries(next).toSorted(([a], [b]) => (a < b ? -1 : 1))))
              }}
            />
          ))}
        </div>
      )}
    </li>
  )
}
