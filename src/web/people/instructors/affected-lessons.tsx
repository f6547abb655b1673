import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../../contract/appointment.ts'
import type { Impact } from '../../../contract/impact.ts'
import type { Instructor, InstructorChange } from '../../../contract/instructor.ts'
import type { ScheduleRequest } from '../../../contract/schedule-request.ts'
import { dateOf } from '../../../domain/local-time.ts'
import { impactOfChange } from '../../data/instructors.ts'
import { changeKey, undecided } from '../../data/undecided.ts'
import { Button } from '../../ui/button.tsx'
import { Deferred } from '../../ui/deferred.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Assuming } from '../../ui/school.tsx'
import { useDebounced } from '../../ui/use-debounced.ts'
import { AffectedLesson } from './affected-lesson.tsx'
import css from './affected-lessons.module.css'

const loadBooking = () => import('../../booking/booking-dialog.tsx')

/** The pause in milliseconds after which typing counts as finished. */
const TYPED_AFTER_MS = 300

/** The number of lessons to show at first: the list may have thousands. */
const SHOWN_AT_ONCE = 50

const NONE_AFFECTED: Impact['appointments'] = []

type AffectedLessonsProps = {
  readonly instructor: Instructor
  readonly change: InstructorChange
  /** The whole change of the form if it is more than the rules; stored together with the decisions on the lessons. */
  readonly whole?: InstructorChange
  /** The open request for the change. Its card has a link to the decisions on requested days off. */
  readonly request?: ScheduleRequest
}

/** Lists the coming lessons that would break a rule after the change, with actions. The service accepts the change anyway. */
export function AffectedLessons({ instructor, change, whole = change, request }: AffectedLessonsProps) {
  const { t } = useTranslation()
  const affected = useAffected(instructor, change)
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set())
  const [moving, setMoving] = useState<Appointment>()
  const [isAll, setAll] = useState(false)
  const toggle = (id: string) =>
    setKept((before) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id]))
  // Compared as text, because the form creates a new object on each render.
  const text = JSON.stringify(change)
  const assumed = useMemo(
    () => [{ instructor_id: instructor.id, change: JSON.parse(text) as InstructorChange }],
    [instructor.id, text],
  )
  const navigate = useNavigate()
  const decide = () => {
    undecided.set({
      key: changeKey(instructor.id),
      change: { values: whole, version: instructor.version },
    })
    void navigate({
      to: '/absence',
      search: { instructor: instructor.id, change: true },
      ignoreBlocker: true,
    })
  }
  const stay = affected.filter(({ appointment }) => kept.has(appointment.id)).length
  const shown = isAll ? affected : affected.slice(0, SHOWN_AT_ONCE)
  return (
    <>
      {affected.length > 0 && (
        <Notice kind="warn" title={t('instructor.affected', { count: affected.length })}>
          <p>
            {t(request ? 'request.affectedHint' : 'instructor.affectedHint')}{' '}
            {stay > 0 && t('instructor.kept', { count: stay })}
          </p>
          {!request?.start_date && (
            <Button look="primary" className={css.together} onClick={decide}>
              {t('instructor.decideTogether')}
            </Button>
          )}
          <ul className={css.lessons}>
            {shown.map((one) => (
              <AffectedLesson
                key={one.appointment.id}
                lesson={one}
                isKept={kept.has(one.appointment.id)}
                onKeep={() => toggle(one.appointment.id)}
                onMove={() => setMoving(one.appointment)}
              />
            ))}
          </ul>
          {shown.length < affected.length && (
            <Button className={css.more} onClick={() => setAll(true)}>
              {t('instructor.showAll', { count: affected.length })}
            </Button>
          )}
        </Notice>
      )}
      {moving && (
        <Assuming assumed={assumed}>
          <Deferred
            load={loadBooking}
            props={{
              start: { date: dateOf(moving.start_at), editing: moving },
              onBooked: () => undefined,
              onClose: () => setMoving(undefined),
            }}
          />
        </Assuming>
      )}
    </>
  )
}

/** Returns the affected lessons; empty if no rule is changed, or while the form is invalid. */
function useAffected({ id }: Instructor, change: InstructorChange): Impact['appointments'] {
  const asked = useDebounced(JSON.stringify(change), TYPED_AFTER_MS)
  const { data } = useQuery({
    ...impactOfChange(id, JSON.parse(asked)),
    enabled: asked !== '{}',
    placeholderData: keepPreviousData,
  })
  return asked === '{}' ? NONE_AFFECTED : (data?.appointments ?? NONE_AFFECTED)
}
