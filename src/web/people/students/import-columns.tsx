import { useTranslation } from 'react-i18next'
import type { ImportPreview as Preview, ReadingChoices } from '../../data/student-files.ts'
import { FieldGroup } from '../../ui/field-group.tsx'
import { Notice } from '../../ui/notice.tsx'
import { OptionSelect } from '../../ui/option-select.tsx'
import { columnText } from './file-messages.ts'
import css from './import-preview.module.css'

type ReadingProps = {
  readonly preview: Preview
  readonly reading: ReadingChoices
  /** Reads the file in another way. */
  readonly onChange: (reading: ReadingChoices) => void
}

const NONE = ''

/** The field of each column, with a select for each; below it, whether the file has headings. */
export function Columns({ preview, reading, onChange }: ReadingProps) {
  const { t } = useTranslation()
  const { columns, fields, missing_fields } = preview
  const { heading_line = preview.heading_line } = reading
  const fieldAt = (at: number) => (reading.columns ? reading.columns[at] : columns[at]?.column) ?? null
  const label = (column: string) => columnText(column, t) ?? column
  const options = [
    [NONE, t('files.ignored')] as const,
    ...fields.map((field) => [field, label(field)] as const),
  ]
  const assign = (at: number, field: string) =>
    onChange({
      ...reading,
      heading_line,
      columns: columns.map((_, place) => (place === at ? field || null : fieldAt(place))),
    })
  return (
    <>
      {missing_fields.length > 0 && (
        <Notice kind="open" isAnswer>
          {t('files.missing', { fields: missing_fields.map(label).join(', ') })}
        </Notice>
      )}
      <FieldGroup title={t('files.columns')} hint={t('files.columnsHint')}>
        <ul className={css.columns}>
          {columns.map(({ heading, example }, at) => {
            const name = heading || t('files.column', { number: at + 1 })
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: the columns of a file have no other name, and keep their order
              <li key={at} data-ignored={fieldAt(at) === null}>
                <span className={css.heading}>
                  {name}
                  {example !== '' && <span className={css.example}>{example}</span>}
                </span>
                <OptionSelect
                  label={t('files.fieldOf', { heading: name })}
                  value={fieldAt(at) ?? NONE}
                  options={options}
                  onChange={(field) => assign(at, field)}
                />
              </li>
            )
          })}
        </ul>
        {(heading_line === 0 || missing_fields.length > 0) && (
          <label className={css.all}>
            <input
              type="checkbox"
              checked={heading_line === 0}
              onChange={({ currentTarget }) => onChange(withHeadings(reading, !currentTarget.checked))}
            />
            {t('files.headless')}
          </label>
        )}
      </FieldGroup>
    </>
  )
}

function withHeadings(
  { columns: _, heading_line: __, ...reading }: ReadingChoices,
  hasHeadings: boolean,
): ReadingChoices {
  return hasHeadings ? reading : { ...reading, heading_line: 0 }
}

const ENCODINGS = [
  'utf-8',
  'windows-1252',
  'windows-1254',
  'windows-1250',
  'macintosh',
  'utf-16le',
  'utf-16be',
] as const satisfies readonly Preview['encoding'][]

/** The encoding, with words that look wrong in another one; nothing for a file without special letters. */
export function Letters({ preview, reading, onChange }: ReadingProps) {
  const { t } = useTranslation()
  const { words } = preview
  const { encoding = preview.encoding } = reading
  if (words.length === 0) return null
  return (
    <div className={css.letters}>
      <span>{t('files.letters', { words: words.slice(0, SHOWN_WORDS).join(', ') })}</span>
      <OptionSelect
        label={t('files.encoding')}
        value={encoding}
        options={ENCODINGS.map((one) => [one, t(`files.encodings.${one}`)] as const)}
        onChange={(next) => onChange({ ...reading, encoding: ENCODINGS.find((one) => one === next) })}
      />
    </div>
  )
}

const SHOWN_WORDS = 5

/** The values that are probably meant otherwise, with a choice for each kind. */
export function Doubts({ preview, reading, onChange }: ReadingProps) {
  const { t } = useTranslation()
  const { assume = [] } = reading
  const toggle = (code: (typeof assume)[number]) =>
    onChange({
      ...reading,
      assume: assume.includes(code) ? assume.filter((one) => one !== code) : [...assume, code],
    })
  const byCode = [...Map.groupBy(preview.doubts, ({ code }) => code)]
  if (byCode.length === 0) return null
  return (
    <FieldGroup title={t('files.doubts')}>
      {byCode.map(([code, ofCode]) => (
        <label key={code} className={css.all}>
          <input type="checkbox" checked={assume.includes(code)} onChange={() => toggle(code)} />
          <span>
            {t(`files.doubt.${code}`, { count: ofCode.reduce((sum, { lines }) => sum + lines, 0) })}
            {ofCode.map(({ column, value, proposal }) => (
              <span key={column} className={css.example}>
                {columnText(column, t)}: {value} → {proposal}
              </span>
            ))}
          </span>
        </label>
      ))}
    </FieldGroup>
  )
}
