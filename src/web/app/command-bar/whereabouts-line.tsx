import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../../contract/appointment.ts'
import { mondayOf, timeOf } from '../../../domain/local-time.ts'
import { localNow } from '../../../domain/time-zone.ts'
import { lessonsOfStudent, weekOfAppointments } from '../../data/appointments.ts'
import { studentNameOf, whenText } from '../../lessons/lesson-texts.ts'
import { nameOf, useSchool } from '../../ui/school.tsx'
import css from './command-bar.module.css'
import type { CommandEntry } from './entry.ts'
import { whereaboutsIn } from './whereabouts.ts'

type WhereaboutsLineProps = {
  readonly entry: CommandEntry
  /** Whether lessons that are not known yet are fetched. */
  readonly isFetched: boolean
}

/** Shows the lessons of today and the next one of a student or an instructor; empty for other entries. */
export function WhereaboutsLine({ entry: { student, instructor }, isFetched }: WhereaboutsLineProps) {
  if (student) return <OfStudent id={student.id} isFetched={isFetched} />
  if (instructor) return <OfInstructor id={instructor.id} isFetched={isFetched} />
  return null
}

type PersonProps = { readonly id: string; readonly isFetched: boolean }

function OfStudent({ id, isFetched }: PersonProps) {
  const school = useSchool()
  const { data } = useQuery({ ...lessonsOfStudent(id), enabled: isFetched })
  const withWhom = ({ instructor_id }: Appointment) => {
    const instructor = school.instructor.get(instructor_id)
    return instructor ? nameOf(instructor) : ''
  }
  return data ? <Line lessons={data} withWhom={withWhom} /> : <span className={css.where}>…</span>
}

function OfInstructor({ id, isFetched }: PersonProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const today = localNow(new Date(), school.tenant.timezone).slice(0, 10)
  const { data } = useQuery({ ...weekOfAppointments(mondayOf(today)), enabled: isFetched })
  const lessons = data?.filter(({ instructor_id }) => instructor_id === id)
  const withWhom = (lesson: Appointment) => studentNameOf(lesson, school, t)
  return lessons ? <Line lessons={lessons} withWhom={withWhom} /> : <span className={css.where}>…</span>
}

type LineProps = {
  readonly lessons: readonly Appointment[]
  readonly withWhom: (lesson: Appointment) => string
}

/** Shows the current lesson and the rest of the day, or else all lessons of today, and the next one. */
function Line({ lessons, withWhom }: LineProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const { now, today, next } = whereaboutsIn(lessons, localNow(new Date(), school.tenant.timezone))
  const times = ({ start_at, end_at }: Appointment) => `${timeOf(start_at)}–${timeOf(end_at)}`
  const entryText = (when: string, lesson: Appointment) => t('bar.with', { when, who: withWhom(lesson) })
  const shown = now ? [now] : today
  const rest = now ? today.filter(({ start_at }) => start_at > now.start_at) : []
  return (
    <span className={css.where}>
      {shown.length > 0 && (
        <span className={now && css.now}>
          {t(now ? 'bar.now' : 'bar.today')}{' '}
          {[...shown, ...rest].map((lesson) => entryText(times(lesson), lesson)).join(', ')}
        </span>
      )}
      {next && (
        <span>
          {t('bar.next')} {entryText(whenText(next, school), next)}
        </span>
      )}
      {shown.length === 0 && !next && <span>{t('bar.noLesson')}</span>}
    </span>
  )
}
