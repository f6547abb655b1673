import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import type { Instructor } from '../../contract/instructor.ts'
import { localNow } from '../../domain/time-zone.ts'
import { lessonsOfInstructor } from '../api/appointments.ts'
import { dateOf } from '../i18n/format.ts'
import { mondayOf, shifted } from '../lessons/days.ts'
import { refusalWords, whenWords } from '../lessons/refusal-words.ts'
import { studentNameOf } from '../lessons/student-name.ts'
import { verdictFor } from '../lessons/verdict.ts'
import { Notice } from '../ui/notice.tsx'
import { type School, useSchool } from '../ui/school.tsx'
import css from './instructor-dialog.module.css'

/** Which coming lessons break a rule of the instructor as filled in. The service allows it: people decide. */
export function AffectedLessons({ instructor }: { instructor: Instructor }) {
  const school = useSchool()
  const { t } = useTranslation()
  const now = localNow(new Date(), school.tenant.timezone)
  // The rules look at the whole of this week, and at the day before it.
  const { data = [] } = useQuery(lessonsOfInstructor(instructor.id, shifted(mondayOf(dateOf(now)), -1)))
  const asked = useDeferredValue(instructor)
  const affected = useMemo(() => affectedBy(asked, data, school, now), [asked, data, school, now])
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

function affectedBy(instructor: Instructor, lessons: readonly Appointment[], school: School, now: string) {
  const changed = { ...school, instructor: new Map([[instructor.id, instructor]]) }
  return lessons
    .filter(({ status, start_at }) => status === 'planned' && start_at > now)
    .flatMap((lesson) => {
      const refusal = verdictFor(lesson, lessons, changed)?.refusal
      return refusal ? [{ lesson, refusal }] : []
    })
}
