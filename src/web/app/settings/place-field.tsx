import { useTranslation } from 'react-i18next'
import { TextField } from '../../ui/dialogs/text-fields.tsx'
import { placeIn } from './place.ts'

type PlaceFieldProps = { readonly value: string; readonly onChange: (place: string) => void }

/** The school's place as one text, as copied from maps; half a place cannot be entered. */
export function PlaceField({ value, onChange }: PlaceFieldProps) {
  const { t } = useTranslation()
  return (
    <TextField
      label={t('settings.location')}
      description={t('settings.locationHint')}
      placeholder="53.5511, 9.9937"
      value={value}
      onChange={onChange}
      error={placeIn(value) === undefined && t('settings.locationFault')}
    />
  )
}
