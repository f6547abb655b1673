import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LessonType } from '../../contract/lesson-type.ts'
import type { OpenRequirement } from '../lessons/teaching.ts'
import { Button } from '../ui/button.tsx'
import css from './requirement-choices.module.css'

/** The number of requirements shown at first. A click shows the rest, mostly theory. */
const SHOWN_AT_ONCE = 2

const WORDS = { units: 'progress.units', block: 'progress.block' } as const

type RequirementChoicesProps = {
  readonly needed: readonly OpenRequirement[]
  /** The lesson type in the form. */
  readonly chosen: string
  readonly onChoose: (type: LessonType) => void
}

/** The requirements that are not planned yet; a click selects the type. */
export function RequirementChoices({ needed, chosen, onChoose }: RequirementChoicesProps) {
  const { t } = useTranslation()
  const id = useId()
  const [isAll, setAll] = useState(false)
  if (needed.length === 0) return null
  const shown = isAll ? needed : needed.slice(0, SHOWN_AT_ONCE)
  return (
    <fieldset className={css.needed} aria-labelledby={id}>
      <span id={id}>{t('progress.needed')}</span>
      {shown.map(({ type, of, count }) => (
        <Button
          key={type.id}
          className={css.choice}
          look={type.id === chosen ? 'chosen' : 'plain'}
          aria-pressed={type.id === chosen}
          onClick={() => type.id !== chosen && onChoose(type)}
        >
          {t(WORDS[of], { count, type: type.name })}
        </Button>
      ))}
      {shown.length < needed.length && (
        <Button className={css.choice} aria-expanded={false} onClick={() => setAll(true)}>
          {t('progress.more', { count: needed.length - shown.length })}
        </Button>
      )}
    </fieldset>
  )
}
