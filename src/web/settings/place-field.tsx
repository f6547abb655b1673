import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { searchAmong } from '../../domain/search.ts'
import { Choice } from '../ui/dialogs/choice.tsx'
import type { Option } from '../ui/dialogs/use-choice.ts'
import { useSchool } from '../ui/school.tsx'
import { placeIn, placeText } from './place.ts'
import { loadTowns, type Town, townNear } from './towns.ts'

type PlaceFieldProps = { readonly value: string; readonly onChange: (place: string) => void }

/** The place of the school: a town by its name, or the coordinates or the link of a map. */
export function PlaceField({ value, onChange }: PlaceFieldProps) {
  const { tenant } = useSchool()
  const { t } = useTranslation()
  const towns = useTowns(tenant.country)
  const options = useMemo(() => towns.map(optionOf), [towns])
  const find = useMemo(
    () => searchAmong(options, ({ label, code = '' }) => ({ names: [label], words: code }), tenant.country),
    [options, tenant.country],
  )
  const near = townNear(towns, placeIn(value))
  const chosen = { value, label: near ? t('settings.nearTown', { name: near.name, place: value }) : value }
  const isTown = options.some((one) => one.value === value)
  return (
    <Choice
      label={t('settings.location')}
      hint={t('settings.locationHint')}
      data={value === '' || isTown ? options : [chosen, ...options]}
      search={(text) => {
        const typed = placeIn(text)
        return typed ? [{ value: placeText(typed), label: placeText(typed) }] : find(text)
      }}
      nothingFound={t('settings.locationFault')}
      value={value || null}
      onChange={(place) => onChange(place ?? '')}
      clearable
    />
  )
}

function optionOf({ name, otherName, ...place }: Town): Option {
  return { value: placeText(place), label: name, ...(otherName && { code: otherName }) }
}

function useTowns(country: string): readonly Town[] {
  const [towns, setTowns] = useState<readonly Town[]>([])
  useEffect(() => {
    let isMounted = true
    // Without the towns, coordinates still work.
    loadTowns(country).then(
      (loaded) => isMounted && setTowns(loaded),
      () => undefined,
    )
    return () => {
      isMounted = false
    }
  }, [country])
  return towns
}
