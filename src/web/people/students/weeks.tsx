import { useMutation, useQuery } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Availability } from '../../../contract/availability.ts'
import type { Student } from '../../../contract/student.ts'
import { daysLater, type LocalDate, mondayOf } from '../../../domain/local-time.ts'
import { localToday } from '../../../domain/time-zone.ts'
import { availabilityOf, takeBackWeek } from '../../data/weeks.ts'
import { Button } from '../../ui/button.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import { RemoveButton } from '../../ui/remove-button.tsx'
import { type School, useSchool } from '../../ui/school.tsx'
import { Failure, Loading } from '../../ui/states.tsx'
import { WeekDialog } from './week-dialog.tsx'
import css from './weeks.module.css'

type WeeksProps = {
  readonly student: Student
  /** Called when the form covers the card, and when it closes. */
  readonly onCovered: (isCovered: boolean) => void
}

/** Shows, enters and takes back the times of a student in this and the next week. */
export function Weeks({ student, onCovered }: WeeksProps) {
  const { tenant } = useSchool()
  const monday = mondayOf(localToday(new Date(), tenant.timezone))
  return (
    <ul className={css.weeks}>
      {[daysLater(monday, 7), monday].map((week) => (
        <WeekRow key={week} week={week} student={student} onCovered={onCovered} />
      ))}
    </ul>
  )
}

function WeekRow({ week, student, onCovered }: WeeksProps & { readonly week: LocalDate }) {
  const school = useSchool()
  const { t } = useTranslation()
  const named = { studentId: student.id, week }
  const { data: answer, error, isError, refetch } = useQuery(availabilityOf(named))
  const takingBack = useMutation({ mutationFn: takeBackWeek })
  const [isOpen, setOpen] = useState(false)
  const show = (isShown: boolean) => {
    setOpen(isShown)
    onCovered(isShown)
  }
  const days = school.format.days(week, daysLater(week, 6))
  if (answer === undefined)
    return <li>{isError ? <Failure error={error} retry={refetch} /> : <Loading />}</li>
  return (
    <li>
      <strong>{days}</strong>
      {answer && (
        <RemoveButton
          label={t('week.takeBack', { days })}
          isBusy={takingBack.isPending}
          onClick={() => takingBack.mutate(named)}
        />
      )}
      <p>{answer ? summaryOf(answer, t) : t('week.open')}</p>
      {answer && answer.lessons > 0 && <Times answer={answer} school={school} />}
      <Button icon="edit" aria-label={t('week.enterFor', { days })} onClick={() => show(true)}>
        {t('week.enter')}
      </Button>
      <FailureNotice error={takingBack.error} title={t('booking.notSaved')} />
      {isOpen && <WeekDialog named={named} student={student} answer={answer} onClose={() => show(false)} />}
    </li>
  )
}

function summaryOf({ lessons, windows }: Availability, t: TFunction): string {
  if (lessons === 0) return t('week.none')
  const count = t('week.lessons', { count: lessons })
  return windows === null ? `${count} · ${t('week.asWished')}` : count
}

/** Lists the times of an answer, or those of the wishes in which no lesson is possible. */
function Times({
  answer: { windows, fits },
  school,
}: {
  readonly answer: Availability
  readonly school: School
}) {
  const { t } = useTranslation()
  const times = fits.flatMap(({ date, time_from, possible }, at) => {
    const window = windows?.[at]
    if (!window && possible) return []
    const hours = window ? `${window.time_from}–${window.time_to}` : time_from === '00:00' ? '' : time_from
    const minutes = window && t('lesson.minutes', { count: window.minutes })
    return { key: `${at} ${date}`, possible, text: [school.format.day(date), hours, minutes] }
  })
  return (
    <ul className={css.times}>
      {times.map(({ key, possible, text }) => (
        <li key={key} data-impossible={!possible || undefined}>
          {text.filter(Boolean).join(' · ')}
          {!possible && <small>{t('week.impossible')}</small>}
        </li>
      ))}
    </ul>
  )
}
