import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { DateField } from '../dialogs/date-field.tsx'
import { Mantine } from '../dialogs/mantine.tsx'
import field from '../ui/field.module.css'
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
      clearable
      clearButtonProps={{ 'aria-label': t('changes.clear') }}
      {...(name === 'from' ? to && { maxDate: to } : from && { minDate: from })}
    />
  )
  return (
    <Mantine>
      <div className={css.filter}>
        <FilterSelect
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
        </FilterSelect>
        <FilterSelect
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
        </FilterSelect>
        {date('from', from)}
        {date('to', to)}
      </div>
    </Mantine>
  )
}

type FilterSelectProps = {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly children: ReactNode
}

function FilterSelect({ label, value, onChange, children }: FilterSelectProps) {
  return (
    <select
      className={field.field}
      aria-label={label}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    >
      {children}
    </select>
  )
}
