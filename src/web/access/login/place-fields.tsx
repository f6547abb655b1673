import { type ChangeEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PACK_COUNTRIES, PACK_LANGUAGES } from '../../../domain/pack-languages.ts'
import field from '../../ui/field.module.css'
import { type Country, guessFor, zoneOf, zonesWith } from './guesses.ts'
import css from './setup-page.module.css'

/** The school's country, time zone and language, guessed from the browser. A new country sets the time zone unless one was chosen. */
export function PlaceFields() {
  const { t, i18n } = useTranslation()
  const [guess] = useState(() =>
    guessFor(navigator.languages, Intl.DateTimeFormat().resolvedOptions().timeZone),
  )
  const [zone, setZone] = useState(guess.timezone)
  const [isZoneChosen, setZoneChosen] = useState(false)
  const nameOf = (type: 'region' | 'language') => {
    const names = new Intl.DisplayNames(i18n.language, { type })
    return (code: string) => names.of(code) ?? code
  }
  return (
    <>
      <Select
        name="country"
        label={t('settings.country')}
        hint={t('setup.countryHint')}
        options={optionsOf(PACK_COUNTRIES, nameOf('region'))}
        defaultValue={guess.country}
        onChange={({ target }) => !isZoneChosen && setZone(zoneOf(target.value as Country))}
      />
      <Select
        name="timezone"
        label={t('field.timezone')}
        options={optionsOf(zonesWith(guess.timezone), (one) => one.replaceAll('_', ' '))}
        value={zone}
        onChange={({ target }) => {
          setZone(target.value)
          setZoneChosen(true)
        }}
      />
      <Select
        name="locale"
        label={t('field.locale')}
        hint={t('settings.languageHint')}
        options={optionsOf(PACK_LANGUAGES, nameOf('language'))}
        defaultValue={guess.locale}
      />
    </>
  )
}

type SelectOption = readonly [value: string, text: string]

function optionsOf(values: readonly string[], nameOf: (value: string) => string): readonly SelectOption[] {
  return values.map((value) => [value, nameOf(value)] as const).toSorted(([, a], [, b]) => a.localeCompare(b))
}

type SelectProps = {
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly options: readonly SelectOption[]
  readonly value?: string
  readonly defaultValue?: string
  readonly onChange?: (event: ChangeEvent<HTMLSelectElement>) => void
}

function Select({ label, hint, options, ...more }: SelectProps) {
  const id = useId()
  return (
    <div className={css.choice}>
      <label htmlFor={id}>{label}</label>
      {hint !== undefined && <small id={`${id}-hint`}>{hint}</small>}
      <select
        {...more}
        id={id}
        className={field.field}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
      >
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}
