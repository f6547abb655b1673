import { useTranslation } from 'react-i18next'
import { type DueSignature, idOfDue } from '../data/signatures.ts'
import { useSchool } from '../ui/school.tsx'
import { dueLines } from './due-items.ts'
import css from './due-list.module.css'

type DueListProps = {
  readonly items: readonly DueSignature[]
  /** The ids of the items that are not signed. */
  readonly leftOut: ReadonlySet<string>
  readonly onChange: (leftOut: ReadonlySet<string>) => void
}

/** The texts that are signed beside the lesson, each with a box to leave it out. */
export function DueList({ items, leftOut, onChange }: DueListProps) {
  const school = useSchool()
  const { t } = useTranslation()
  if (items.length === 0) return null
  const toggle = (id: string) => {
    const next = new Set(leftOut)
    if (!next.delete(id)) next.add(id)
    onChange(next)
  }
  return (
    <fieldset className={css.due}>
      <legend>{t('sign.also', { count: items.length })}</legend>
      {items.map((item) => {
        const [title, ...details] = dueLines(item, school, t)
        const id = idOfDue(item)
        return (
          <label key={id} className={css.item}>
            <input type="checkbox" checked={!leftOut.has(id)} onChange={() => toggle(id)} />
            <span>
              {title}
              <span className={css.details}>{details.join(' · ')}</span>
            </span>
          </label>
        )
      })}
    </fieldset>
  )
}
