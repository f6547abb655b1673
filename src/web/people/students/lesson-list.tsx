import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../../contract/appointment.ts'
import { dateOf } from '../../../domain/local-time.ts'
import { titleOf, whenText } from '../../lessons/lesson-texts.ts'
import page from '../../ui/page.module.css'
import { nameOf, useSchool } from '../../ui/school.tsx'
import css from './student-card.module.css'

/** Lessons with their instructors and links to the board. */
export function LessonList({ lessons }: { lessons: readonly Appointment[] }) {
  const school = useSchool()
  const { t } = useTranslation()
  const instructorOf = ({ instructor_id }: Appointment) => {
    const instructor = school.instructor.get(instructor_id)
    return instructor ? ` · ${nameOf(instructor)}` : ''
  }
  if (lessons.length === 0) return <p className={page.dimmed}>{t('student.noLessons')}</p>
  return (
    <ul className={css.lessons}>
      {lessons.map((lesson) => (
        <li key={lesson.id}>
          <Link to="/" search={{ date: dateOf(lesson.start_at), lesson: lesson.id }}>
            <span className={lesson.status === 'cancelled' ? css.cancelled : undefined}>
              {whenText(lesson, school)}
            </span>
            <span className={page.dimmed}>
              {titleOf(lesson, school)}
              {instructorOf(lesson)}
              {lesson.status !== 'planned' && ` · ${t(`lesson.${lesson.status}`)}`}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
