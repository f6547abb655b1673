import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { DateField } from '../ui/date-field.tsx'
import { Dates } from '../ui/dates.tsx'
import css from './change-filter.module.css'
import { type ChangesSearch, KINDS } from './changes-search.ts'

type ChangeFilterProps = {
  readonly search: ChangesSearch
  /** Who can be chosen: names by id. */
  readonly people: ReadonlyMap<string, string>
  readonly onChange: (change: ChangesSearch) => void
}

/** Which changes are shown: of what, by whom, from when to when. */
export function ChangeFilter({ search, people, onChange }: ChangeFilterProps) {
  const { t } = useTranslation()
  const { kind = '', person = '', from = '', to = '' } = search
  const date = (name: 'from' | 'to', value: string) => (
    <DateField
      className={css.date}
      aria-label={t(`changes.${name}`)}
      placeholder={t(`changes.${name}`)}
      value={value}
      onChange={(picked) => onChange({ [name]: picked || undefined })}
      size="sm"
      clearable
      clearButtonProps={{ 'aria-label': t('changes.clear') }}
      {...(name === 'from' ? to && { maxDate: to } : from && { minDate: from })}
    />
  )
  return (
    <Dates>
      <div className={css.filter}>
        <Choice
          label={t('changes.kind')}
          value={kind}
          onChange={(chosen) => onChange({ kind: KINDS.find((one) => one === chosen) })}
        >
          <option value="">{t('changes.everything')}</option>
          {KINDS.map((one) => (
            <option key={one} value={one}>
              {t(`changes.${one}`)}
            </option>
          ))}
        </Choice>
        <Choice
          label={t('changes.person')}
          value={person}
          onChange={(chosen) => onChange({ person: chosen || undefined })}
        >
          <option value="">{t('changes.everybody')}</option>
          {[...people].map(([id, name]) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Choice>
        {date('from', from)}
        {date('to', to)}
      </div>
    </Dates>
  )
}

type ChoiceProps = {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly children: ReactNode
}

function Choice({ label, value, onChange, children }: ChoiceProps) {
  return (
    <select
      className={css.choice}
      aria-label={label}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    >
      {children}
    </select>
  )
}
