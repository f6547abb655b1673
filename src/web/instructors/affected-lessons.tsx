import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Instructor } from '../../contract/instructor.ts'
import { dateOf, dayOf, dayOfMinute, localDateFor, midnightOf, weekStartOf } from '../../domain/local-time.ts'
import { reachOfWeek } from '../../domain/reach.ts'
import { localNow } from '../../domain/time-zone.ts'
import { lessonsOfInstructor } from '../api/appointments.ts'
import { studentNameOf, whenWords } from '../lessons/lesson-words.ts'
import { refusalWords } from '../lessons/refusal-words.ts'
import { type Known, verdictFor } from '../lessons/verdict.ts'
import { Notice } from '../ui/notice.tsx'
import { type School, useSchool } from '../ui/school.tsx'
import css from './instructor-dialog.module.css'

const NO_LESSONS = [] as const

/** Which coming lessons break a rule of the instructor as filled in. The service allows it: people decide. */
export function AffectedLessons({ instructor }: { instructor: Instructor }) {
  const school = useSchool()
  const { t } = useTranslation()
  const now = localNow(new Date(), school.tenant.timezone)
  const from = dayOfMinute(reachOfWeek(weekStartOf(dayOf(now))).start)
  const { data = NO_LESSONS } = useQuery(lessonsOfInstructor(instructor.id, localDateFor(from)))
  const asked = useDeferredValue(instructor)
  const affected = useMemo(() => {
    const known = { lessons: data, reach: { start: midnightOf(from), end: Number.POSITIVE_INFINITY } }
    return affectedBy(asked, known, school, now)
  }, [asked, data, from, school, now])
  if (affected.length === 0) return null
  return (
    <Notice kind="warn" title={t('instructor.affected', { count: affected.length })}>
      <ul className={css.affected}>
        {affected.map(({ lesson, refusal }) => (
          <li key={lesson.id}>
            <a
              href={`/?date=${dateOf(lesson.start_at)}&lesson=${lesson.id}`}
              target="_blank"
              rel="noreferrer"
            >
              {whenWords(lesson, school)}, {studentNameOf(lesson, school, t)}
            </a>
            <br />
            {refusalWords(refusal, { ...lesson, appointments: data }, school, t)}
          </li>
        ))}
      </ul>
    </Notice>
  )
}

function affectedBy(instructor: Instructor, known: Known, school: School, now: string) {
  const changed = { ...school, instructor: new Map([[instructor.id, instructor]]) }
  return known.lessons
    .filter(({ status, start_at }) => status === 'planned' && start_at > now)
    .flatMap((lesson) => {
      const refusal = verdictFor(lesson, known, changed)?.refusals[0]
      return refusal ? [{ lesson, refusal }] : []
    })
}
