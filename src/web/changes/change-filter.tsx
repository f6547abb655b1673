import { useTranslation } from 'react-i18next'
import type { Resource } from '../../contract/change.ts'
import { DateField } from '../ui/dialogs/date-field.tsx'
import { Mantine } from '../ui/dialogs/mantine.tsx'
import { OptionSelect } from '../ui/option-select.tsx'
import css from './change-filter.module.css'
import type { ChangesSearch } from './changes-search.ts'

type ChangeFilterProps = {
  readonly search: ChangesSearch
  /** The resources to choose from. */
  readonly kinds: readonly Resource[]
  /** Names by id. */
  readonly people: ReadonlyMap<string, string>
  readonly onChange: (change: ChangesSearch) => void
}

export function ChangeFilter({ search, kinds, people, onChange }: ChangeFilterProps) {
  const { t } = useTranslation()
  const { kind = '', person = '', from = '', to = '' } = search
  const date = (name: 'from' | 'to', value: string) => (
    <DateField
      className={css.date}
      kind="over"
      label={t(`changes.${name}`)}
      isLabelHidden
      isHintHidden
      isOptional
      isLazy
      placeholder={t(`changes.${name}`)}
      value={value}
      onChange={(picked) => onChange({ [name]: picked || undefined })}
      {...(name === 'from' ? { max: to } : { min: from })}
    />
  )
  return (
    <Mantine>
      <div className={css.filter}>
        <OptionSelect
          label={t('changes.kind')}
          value={kind}
          options={[['', t('changes.everything')], ...kinds.map((one) => [one, t(`kinds.${one}`)] as const)]}
          onChange={(chosen) => onChange({ kind: kinds.find((one) => one === chosen) })}
        />
        <OptionSelect
          label={t('changes.person')}
          value={person}
          options={[['', t('changes.everybody')], ...people]}
          onChange={(chosen) => onChange({ person: chosen || undefined })}
        />
        {date('from', from)}
        {date('to', to)}
      </div>
    </Mantine>
  )
}
