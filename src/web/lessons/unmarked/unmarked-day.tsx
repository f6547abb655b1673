import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../../contract/appointment.ts'
import { intervalOf, minutesOf } from '../../../domain/interval.ts'
import { type LocalDate, timeOf } from '../../../domain/local-time.ts'
import { actualIntervalOf, hasDoubtfulLength } from '../../../domain/worked.ts'
import { Button } from '../../ui/button.tsx'
import { nameOf, useSchool } from '../../ui/school.tsx'
import { studentNameOf } from '../lesson-texts.ts'
import css from './unmarked-dialog.module.css'

type UnmarkedDayProps = {
  readonly day: LocalDate
  readonly lessons: readonly Appointment[]
  readonly isBusy: boolean
  /** Whether a day is being marked. */
  readonly isBlocked: boolean
  readonly onMark: (ticked: readonly Appointment[]) => void
  readonly onLeave: () => void
}

/** The lessons of a day, ticked at first unless their recorded length is doubtful, and the button that marks the ticked ones. */
export function UnmarkedDay({ day, lessons, isBusy, isBlocked, onMark, onLeave }: UnmarkedDayProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const [excepted, setExcepted] = useState<ReadonlySet<string>>(
    () => new Set(lessons.filter(hasDoubtfulLength).map(({ id }) => id)),
  )
  const ticked = lessons.filter(({ id }) => !excepted.has(id))
  const tick = (id: string, isTicked: boolean) => {
    const next = new Set(excepted)
    if (isTicked) next.delete(id)
    else next.add(id)
    setExcepted(next)
  }
  const label = school.format.longDay(day)
  return (
    <fieldset className={css.day}>
      <legend>{label}</legend>
      {lessons.map((lesson) => {
        const { id, start_at, end_at, instructor_id } = lesson
        const instructor = school.instructor.get(instructor_id)
        const times = `${timeOf(start_at)}–${timeOf(end_at)}`
        const student = studentNameOf(lesson, school, t)
        return (
          <div key={id} className={css.lesson}>
            <label>
              <input
                type="checkbox"
                checked={!excepted.has(id)}
                disabled={isBlocked}
                onChange={({ currentTarget }) => tick(id, currentTarget.checked)}
              />
              <span>
                {times} <strong>{student}</strong>
                {instructor && ` · ${nameOf(instructor)}`}
                {hasDoubtfulLength(lesson) && <DoubtfulLength lesson={lesson} />}
              </span>
            </label>
            <Link
              to="/"
              search={{ date: day, lesson: id }}
              aria-label={t('unmarked.open', { what: `${student}, ${times}` })}
              onClick={onLeave}
            >
              {t('undo.show')}
            </Link>
          </div>
        )
      })}
      <Button
        look="primary"
        isBusy={isBusy}
        disabled={isBlocked || ticked.length === 0}
        aria-label={`${t('unmarked.mark', { count: ticked.length })}: ${label}`}
        onClick={() => onMark(ticked)}
      >
        {t('unmarked.mark', { count: ticked.length })}
      </Button>
    </fieldset>
  )
}

/** The recorded times of a lesson, which differ much from the planned ones. */
function DoubtfulLength({ lesson }: { readonly lesson: Appointment }) {
  const { t } = useTranslation()
  const { actual_start_at, actual_end_at } = lesson
  const times = `${timeOf(actual_start_at ?? '')}–${timeOf(actual_end_at ?? '')}`
  return (
    <strong className={css.doubt}>
      {t('length.recorded', {
        times,
        count: minutesOf(actualIntervalOf(lesson)),
        planned: minutesOf(intervalOf(lesson)),
      })}
    </strong>
  )
}
