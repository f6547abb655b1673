import { useTranslation } from 'react-i18next'
import { whenText } from '../lessons/lesson-texts.ts'
import { useSchool } from '../ui/school.tsx'
import css from './absence-page.module.css'
import { resultText, studentNamesFor } from './absence-texts.ts'
import { Calls } from './calls.tsx'
import { type AbsenceDraftProps, calling, type DecidedLesson } from './draft.ts'

type DecidedListProps = Pick<AbsenceDraftProps, 'draft' | 'onChange'> & {
  readonly lessons: readonly DecidedLesson[]
  /** The lessons because of which nothing was stored. */
  readonly faulty?: readonly string[] | undefined
}

/** The lessons of an absence, each with its decision and the calls. */
export function DecidedList({ lessons, draft: { called }, onChange, faulty }: DecidedListProps) {
  const school = useSchool()
  const { t } = useTranslation()
  if (lessons.length === 0) return null
  return (
    <ul className={css.rows} aria-label={t('absencePage.lessons')}>
      {lessons.map((settled) => {
        const { lesson, phones } = settled
        const students = studentNamesFor(lesson, school, t)
        const when = whenText(lesson, school)
        return (
          <li
            key={lesson.id}
            className={css.row}
            data-faulty={faulty?.includes(lesson.id) || undefined}
            data-decided-row={lesson.id}
          >
            <div className={css.about}>
              <strong>{students}</strong>
              <span className={css.type}>{when}</span>
            </div>
            <Calls
              lesson={lesson}
              phones={phones}
              what={`${students}, ${when}`}
              isCalled={called.includes(lesson.id)}
              onCall={(isCalled) => onChange(calling(lesson.id, isCalled))}
            />
            <span className={css.result}>{resultText(settled, school, t)}</span>
          </li>
        )
      })}
    </ul>
  )
}
