import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LessonType } from '../../contract/lesson-type.ts'
import { progressOfStudent } from '../api/progress.ts'
import { stillOpenIn } from '../students/still-open.ts'
import { Button } from '../ui/button.tsx'
import { useSchool } from '../ui/school.tsx'
import css from './still-needed.module.css'

/** What comes next stands in sight; the rest, mostly theory, is a click away. */
const SHOWN_AT_ONCE = 2

type StillNeededProps = {
  readonly studentId: string
  /** The type that is chosen now. */
  readonly chosen: string
  readonly onChoose: (type: LessonType) => void
}

/** What the student's class demands and nobody has planned yet; a click makes it the lesson's type. */
export function StillNeeded({ studentId, chosen, onChoose }: StillNeededProps) {
  const { lessonType } = useSchool()
  const { t } = useTranslation()
  const id = useId()
  const [isAll, setAll] = useState(false)
  const { data } = useQuery(progressOfStudent(studentId))
  const needed = stillOpenIn(data, lessonType)
  if (needed.length === 0) return null
  const shown = isAll ? needed : needed.slice(0, SHOWN_AT_ONCE)
  return (
    <fieldset className={css.needed} aria-labelledby={id}>
      <span id={id}>{t('progress.needed')}</span>
      {shown.map(({ type, words, count }) => (
        <Button
          key={type.id}
          className={css.choice}
          look={type.id === chosen ? 'chosen' : 'plain'}
          aria-pressed={type.id === chosen}
          onClick={() => type.id !== chosen && onChoose(type)}
        >
          {t(words, { count, type: type.name })}
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
