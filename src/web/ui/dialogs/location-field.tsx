import { useTranslation } from 'react-i18next'
import { useSchool } from '../school.tsx'
import { Choice } from './choice.tsx'

type LocationFieldProps = {
  readonly value: string | null
  readonly onChange: (id: string | null) => void
}

/** A branch, or none; hidden in a school without branches. */
export function LocationField({ value, onChange }: LocationFieldProps) {
  const { locations, location } = useSchool()
  const { t } = useTranslation()
  if (locations.length === 0) return null
  return (
    <Choice
      label={t('location.one')}
      data={locations.map(({ id, name, address }) => ({
        value: id,
        label: name,
        ...(address && { hint: address }),
      }))}
      value={location.has(value ?? '') ? value : null}
      onChange={onChange}
      clearable
    />
  )
}
