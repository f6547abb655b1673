import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { StudentTopic } from '../../../contract/topic.ts'
import { dateOf } from '../../../domain/local-time.ts'
import { topicsOfStudent } from '../../data/topics.ts'
import { Details } from '../../ui/details.tsx'
import { useSchool } from '../../ui/school.tsx'
import css from '../trainings/student-progress.module.css'

/** The topics of theory of the student's class: attended, planned, or missing with the next date; nothing without any. */
export function StudentTopics({ studentId }: { readonly studentId: string }) {
  const { t } = useTranslation()
  const { data: topics = [] } = useQuery(topicsOfStudent(studentId))
  if (topics.length === 0) return null
  const count = (state: StudentTopic['state']) => topics.filter((one) => one.state === state).length
  const counts = { attended: count('attended'), planned: count('planned'), missing: count('missing') }
  return (
    <Details title={`${t('course.ofStudent')}: ${t('course.count', counts)}`}>
      <ul className={css.list} aria-label={t('course.ofStudent')}>
        {topics.map((topic) => (
          <TopicLine key={topic.topic} topic={topic} />
        ))}
      </ul>
    </Details>
  )
}

function TopicLine({ topic: { topic, name, state, start_at, next } }: { readonly topic: StudentTopic }) {
  const { format } = useSchool()
  const { t } = useTranslation()
  const on = (at: string) => ({ day: format.day(dateOf(at)) })
  return (
    <li className={css.topic} data-state={state}>
      <span>{[topic, name].filter(Boolean).join(' · ')}</span>
      {state !== 'missing' && start_at && (
        <span className={state === 'attended' ? css.met : css.number}>
          {t(`course.${state}`, on(start_at))}
        </span>
      )}
      {state === 'missing' && !next && <span className={css.blockOpen}>{t('course.missing')}</span>}
      {next && (
        <Link to="/" search={{ date: dateOf(next.start_at), lesson: next.appointment_id }}>
          {t('course.next', on(next.start_at))}
        </Link>
      )}
    </li>
  )
}
