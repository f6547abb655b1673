import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import { timeOf } from '../../domain/local-time.ts'
import { studentNameOf, workedText } from '../lessons/lesson-texts.ts'
import { useSchool } from '../ui/school.tsx'
import { corrections } from './corrections.ts'
import css from './day-list.module.css'
import { drafts, keyOf } from './drafts.ts'
import type { RecordOutcome } from './outcome.ts'
import { OutcomeButtons } from './outcome-buttons.tsx'

type DayListProps = {
  readonly lessons: readonly Appointment[]
  /** The lesson shown large above. */
  readonly shown: string | undefined
  readonly now: string
  readonly mark: RecordOutcome
  readonly onChoose: (id: string) => void
}

/** All lessons of the day. A tap enlarges one. Lessons that have begun have buttons for the outcome. */
export function DayList({ lessons, shown, now, mark, onChoose }: DayListProps) {
  const { t } = useTranslation()
  const school = useSchool()
  return (
    <section>
      <h2 className={css.heading}>
        {[t('today.lessons', { count: lessons.length }), workedText(lessons, school, t)]
          .filter(Boolean)
          .join(' · ')}
      </h2>
      <ol>
        {lessons.map((lesson) => (
          <li key={lesson.id} className={css.lesson} data-lesson={lesson.id}>
            <Line lesson={lesson} isShown={lesson.id === shown} onChoose={onChoose} />
            {lesson.id !== shown && <OutcomeButtons {...{ lesson, now, mark }} />}
          </li>
        ))}
      </ol>
    </section>
  )
}

type LineProps = {
  readonly lesson: Appointment
  readonly isShown: boolean
  readonly onChoose: (id: string) => void
}

function Line({ lesson, isShown, onChoose }: LineProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const texts = drafts.use()
  const isCorrected = corrections.use().has(lesson.id)
  const isDraft = isCorrected || texts.has(keyOf(lesson, 'notes')) || texts.has(keyOf(lesson, 'practised'))
  const { id, start_at, end_at, status, lesson_type_id } = lesson
  const type = school.lessonType.get(lesson_type_id)
  return (
    <button
      type="button"
      className={css.line}
      aria-pressed={isShown}
      data-status={status}
      onClick={() => onChoose(id)}
    >
      <span className={css.dot} style={{ background: type?.color }} />
      <span className={css.times}>
        {timeOf(start_at)}–{timeOf(end_at)}
      </span>
      <span className={css.who}>{studentNameOf(lesson, school, t)}</span>
      <span className={css.type}>
        {[type?.name, status === 'cancelled' && t('lesson.cancelled'), isDraft && t('today.unsaved')]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </button>
  )
}
