import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Location, LocationChange } from '../../contract/location.ts'
import { NAME_LENGTH, TITLE_LENGTH, TRAVEL_MINUTES } from '../../domain/ranges.ts'
import { addLocation, changeLocation, deleteLocation } from '../data/locations.ts'
import { isInUse } from '../data/vehicles.ts'
import { differingFields } from '../ui/changed-fields.ts'
import { NumberField } from '../ui/dialogs/number-field.tsx'
import { TextField } from '../ui/dialogs/text-fields.tsx'
import { FailureNotice } from '../ui/failure-notice.tsx'
import { FieldGroup } from '../ui/field-group.tsx'
import { RemoveButton } from '../ui/remove-button.tsx'
import { useSchool } from '../ui/school.tsx'
import { useUnsaved } from '../ui/unsaved.tsx'
import { lengthOf } from '../ui/use-length.ts'
import css from './locations.module.css'
import { NewLocationRow } from './new-location-row.tsx'
import { newestError } from './newest-error.ts'

/** The scope of writes that run one at a time: each may change the travel times of other branches. */
const SCOPE = { id: 'locations' }

/** The school's branches and the minutes between them. Each change is saved at once. */
export function Locations() {
  const { t } = useTranslation()
  const { locations } = useSchool()
  const add = useMutation({ mutationFn: addLocation, scope: SCOPE })
  const change = useMutation({ mutationFn: changeLocation, scope: SCOPE })
  const remove = useMutation({ mutationFn: deleteLocation, scope: SCOPE })
  const error = newestError(remove, change, add)
  return (
    <FieldGroup title={t('location.title')} hint={t('location.hint')}>
      <FailureNotice
        error={error}
        title={t('booking.notSaved')}
        text={isInUse(error) && t('location.inUse')}
      />
      <ul className={css.list}>
        {locations.map((location) => (
          <LocationRow
            key={location.id}
            location={location}
            others={locations.filter(({ id }) => id !== location.id)}
            onChange={(changeOf) => change.mutateAsync({ id: location.id, changeOf })}
            onDelete={() => remove.mutate(location.id)}
          />
        ))}
      </ul>
      <NewLocationRow isBusy={add.isPending} onSave={add.mutateAsync} />
    </FieldGroup>
  )
}

type LocationRowProps = {
  readonly location: Location
  readonly others: readonly Location[]
  /** Rejects if the service rejects the change. */
  readonly onChange: (changeOf: (latest: Location) => LocationChange) => Promise<void>
  readonly onDelete: () => void
}

/** A branch to edit in place, saved on blur. Unsaved input stays when the stored branch changes. */
function LocationRow({ location, others, onChange, onDelete }: LocationRowProps) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState<Typed>({})
  const [sent, setSent] = useState<Typed>()
  const [hasFailed, setFailed] = useState(false)
  const [seen, setSeen] = useState(location)
  const row = useRef<HTMLLIElement>(null)
  if (seen !== location) {
    setSeen(location)
    setTyped(dirtyIn(typed, location))
  }
  const { name = location.name, address = location.address ?? '', travelMinutes } = typed
  const about = (field: string) => `${location.name}: ${field}`
  // An invalid number would be saved as an empty field.
  const isInvalid = () => row.current?.querySelector(':invalid') != null
  const isChanged = Object.keys(changeOf(wholeOf(typed, others), location)).length > 0
  useUnsaved(() => isInvalid() || (isChanged && (hasFailed || typed !== sent)))
  const save = () => {
    const isWhole = name.trim() !== '' && lengthOf(name) <= NAME_LENGTH.max
    if (!isWhole || lengthOf(address) > TITLE_LENGTH.max) return
    if (isInvalid()) return
    const whole = wholeOf(typed, others)
    setTyped(whole)
    if (!isChanged) return
    setSent(whole)
    onChange((latest) => changeOf(whole, latest)).then(
      () => setFailed(false),
      () => setFailed(true),
    )
  }
  return (
    <li ref={row} className={css.row} onBlur={save}>
      <TextField
        aria-label={about(t('field.name'))}
        value={name}
        maxLength={NAME_LENGTH.max}
        error={name.trim() === '' && t('fault.missing')}
        onChange={(text) => setTyped({ ...typed, name: text })}
      />
      <TextField
        aria-label={about(t('location.address'))}
        placeholder={t('location.address')}
        value={address}
        maxLength={TITLE_LENGTH.max}
        onChange={(text) => setTyped({ ...typed, address: text })}
      />
      <RemoveButton label={t('location.delete', { name: location.name })} onClick={onDelete} />
      {others.length > 0 && (
        <div className={css.travelTimes}>
          {others.map(({ id, name: other }) => (
            <NumberField
              key={id}
              isMinutes
              label={t('location.way', { name: other })}
              value={travelMinutes?.[id] ?? location.travel_minutes[id] ?? ''}
              {...TRAVEL_MINUTES}
              onChange={(minutes) =>
                setTyped({ ...typed, travelMinutes: { ...travelMinutes, [id]: minutes } })
              }
            />
          ))}
        </div>
      )}
    </li>
  )
}

/** The edited fields; the others show the service's values. */
type Typed = {
  readonly name?: string
  readonly address?: string
  readonly travelMinutes?: Readonly<Record<string, number | ''>>
}

/** Returns the edited fields trimmed, without travel times to deleted branches. */
function wholeOf({ name, address, travelMinutes = {} }: Typed, others: readonly Location[]): Typed {
  const isThere = new Set(others.map(({ id }) => id))
  return {
    ...(name !== undefined && { name: name.trim() }),
    ...(address !== undefined && { address: address.trim() }),
    travelMinutes: Object.fromEntries(Object.entries(travelMinutes).filter(([id]) => isThere.has(id))),
  }
}

function changeOf({ name, address, travelMinutes }: Typed, latest: Location): LocationChange {
  const minutes = Object.entries({ ...latest.travel_minutes, ...travelMinutes }).filter(
    ([, one]) => one !== '',
  )
  const wanted = {
    ...(name !== undefined && { name }),
    ...(address !== undefined && { address: address || null }),
    travel_minutes: Object.fromEntries(minutes.toSorted(([a], [b]) => (a < b ? -1 : 1))),
  }
  return differingFields(wanted, latest) as LocationChange
}

/** Returns the edited fields that differ from the stored values. */
function dirtyIn({ name, address, travelMinutes = {} }: Typed, stored: Location): Typed {
  const isDirty = ([id, minutes]: [string, number | '']) => minutes !== (stored.travel_minutes[id] ?? '')
  return {
    ...(name !== undefined && name !== stored.name && { name }),
    ...(address !== undefined && address !== (stored.address ?? '') && { address }),
    travelMinutes: Object.fromEntries(Object.entries(travelMinutes).filter(isDirty)),
  }
}
