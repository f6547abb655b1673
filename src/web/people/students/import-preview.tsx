import { useTranslation } from 'react-i18next'
import type { ImportPreview as Preview, ReadingChoices } from '../../data/student-files.ts'
import { FieldGroup } from '../../ui/field-group.tsx'
import { Notice } from '../../ui/notice.tsx'
import { familyFirst, nameOf } from '../../ui/school.tsx'
import { duplicateText, lineFaultMessage } from './file-messages.ts'
import { Columns, Doubts, Letters } from './import-columns.tsx'
import css from './import-preview.module.css'

type DuplicateSelection = {
  /** The lines to import despite a probable duplicate. */
  readonly anyway: ReadonlySet<number>
  readonly onChoose: (lines: ReadonlySet<number>) => void
}
type ImportPreviewProps = DuplicateSelection & {
  readonly name: string
  readonly preview: Preview
  readonly reading: ReadingChoices
  readonly onRead: (reading: ReadingChoices) => void
}

/** The columns, doubts, faults and duplicates of a file, with a choice for each. */
export function ImportPreview({ name, preview, reading, anyway, onRead, onChoose }: ImportPreviewProps) {
  const { t } = useTranslation()
  const { kind, count, sample, faulty_lines, faults, duplicates } = preview
  // A whole name has been split: its order shows which word became the last name.
  const isSplit = preview.columns.some(({ column }) => column === 'name' || column === 'name_last_first')
  const personOf = isSplit ? familyFirst : nameOf
  const names = sample.map((one) => ('name' in one ? one.name : personOf(one))).join(isSplit ? '; ' : ', ')
  const isMissing = preview.missing_fields.length > 0
  const columns = <Columns preview={preview} reading={reading} onChange={onRead} />
  const isNothing = faulty_lines === 0 && count > 0 && duplicates.length === count && anyway.size === 0
  return (
    <>
      <p role="status" className={css.text}>
        <strong>{t(`files.of.${kind}.found`, { count, file: name })}</strong>
        {names !== '' && <span className={css.sample}>{t('files.sample', { names })}</span>}
      </p>
      <Letters preview={preview} reading={reading} onChange={onRead} />
      {isMissing && columns}
      <Doubts preview={preview} reading={reading} onChange={onRead} />
      {faulty_lines > 0 && (
        <Notice kind="bad" isAnswer>
          {t('files.faulty', { count: faulty_lines })}
        </Notice>
      )}
      {faults.length > 0 && <Faults faults={faults} />}
      {isNothing && <Notice kind="open">{t('files.nothing')}</Notice>}
      {duplicates.length > 0 && <Duplicates duplicates={duplicates} anyway={anyway} onChoose={onChoose} />}
      {!isMissing && columns}
    </>
  )
}

function Faults({ faults }: Pick<Preview, 'faults'>) {
  const { t } = useTranslation()
  return (
    <FieldGroup title={t('files.faults')}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: must be focusable to scroll by keys */}
      <ul className={css.lines} tabIndex={0} aria-label={t('files.faults')}>
        {faults.map((fault) => (
          <li key={`${fault.line} ${fault.column} ${fault.code}`} className={css.fault}>
            <span className={css.number}>{t('files.line', { line: fault.line })}</span>
            <span>{lineFaultMessage(fault, t)}</span>
            {fault.value !== '' && <q className={css.value}>{fault.value}</q>}
          </li>
        ))}
      </ul>
    </FieldGroup>
  )
}

function Duplicates({ duplicates, anyway, onChoose }: DuplicateSelection & Pick<Preview, 'duplicates'>) {
  const { t } = useTranslation()
  const isWhole = anyway.size === duplicates.length
  const choose = (line: number, isChosen: boolean) => {
    const next = new Set(anyway)
    if (isChosen) next.add(line)
    else next.delete(line)
    onChoose(next)
  }
  return (
    <FieldGroup title={t('files.duplicates')} hint={t('files.there', { count: duplicates.length })}>
      <label className={css.all}>
        <input
          type="checkbox"
          checked={isWhole}
          onChange={() => onChoose(new Set(isWhole ? [] : duplicates.map(({ line }) => line)))}
        />
        {t('files.anyway')}
      </label>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: must be focusable to scroll by keys */}
      <ul className={css.lines} tabIndex={0} aria-label={t('files.duplicates')}>
        {duplicates.map((one) => (
          <li key={one.line}>
            <label>
              <input
                type="checkbox"
                checked={anyway.has(one.line)}
                onChange={({ currentTarget }) => choose(one.line, currentTarget.checked)}
              />
              <span className={css.number}>{t('files.line', { line: one.line })}</span>
              <span>{duplicateText(one, t)}</span>
            </label>
          </li>
        ))}
      </ul>
    </FieldGroup>
  )
}
