import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Wish } from '../../../contract/wish.ts'
import { wishesOf, withdrawWish } from '../../data/gaps.ts'
import { Button } from '../../ui/button.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import { RemoveButton } from '../../ui/remove-button.tsx'
import { nameOf, type School, useSchool } from '../../ui/school.tsx'
import { Failure, Loading } from '../../ui/states.tsx'
import { dayName, WishDialog } from './wish-dialog.tsx'
import css from './wishes.module.css'

type WishesProps = {
  readonly studentId: string
  /** Called when the form covers the card, and when it closes. */
  readonly onCovered: (isCovered: boolean) => void
}

/** The times at which a student would like a lesson, to read, add and withdraw. */
export function Wishes({ studentId, onCovered }: WishesProps) {
  const { t } = useTranslation()
  const { data, error, isError, refetch } = useQuery(wishesOf(studentId))
  const [isAdding, setAdding] = useState(false)
  const show = (isShown: boolean) => {
    setAdding(isShown)
    onCovered(isShown)
  }
  if (!data) return isError ? <Failure error={error} retry={refetch} /> : <Loading />
  return (
    <div className={css.wishes}>
      <ul>
        {data.map((wish) => (
          <WishRow key={wish.id} wish={wish} />
        ))}
      </ul>
      <Button icon="plus" onClick={() => show(true)}>
        {t('wish.add')}
      </Button>
      {isAdding && <WishDialog studentId={studentId} onClose={() => show(false)} />}
    </div>
  )
}

function WishRow({ wish }: { readonly wish: Wish }) {
  const school = useSchool()
  const { t } = useTranslation()
  const { mutate, error, isPending } = useMutation({ mutationFn: withdrawWish })
  const { minutes, lesson_type_id, instructor_id, from, until } = wish
  const instructor = school.instructor.get(instructor_id ?? '')
  const parts = [
    t('lesson.minutes', { count: minutes }),
    daysText(wish.weekdays, school),
    hoursText(wish),
    school.lessonType.get(lesson_type_id ?? '')?.name,
    instructor && nameOf(instructor),
    from && t('wish.fromDate', { date: school.format.date(from) }),
    until && t('wish.untilDate', { date: school.format.date(until) }),
  ].filter(Boolean)
  const text = parts.join(' · ')
  return (
    <li>
      <span>{text}</span>
      <RemoveButton label={t('wish.withdraw', { text })} isBusy={isPending} onClick={() => mutate(wish)} />
      <FailureNotice error={error} title={t('booking.notSaved')} />
    </li>
  )
}

function daysText(days: Wish['weekdays'], school: School): string | undefined {
  return days?.map((day) => dayName(day, school)).join(', ')
}

function hoursText({ time_from, time_to }: Wish): string | undefined {
  if (!time_from && !time_to) return undefined
  return `${time_from ?? '00:00'}–${time_to ?? '24:00'}`
}
