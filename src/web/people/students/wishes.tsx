import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Wish } from '../../../contract/wish.ts'
import { localToday } from '../../../domain/time-zone.ts'
import { addWish, wishesOf, withdrawWish } from '../../data/gaps.ts'
import { Button } from '../../ui/button.tsx'
import { DateField } from '../../ui/dialogs/date-field.tsx'
import { NumberField } from '../../ui/dialogs/number-field.tsx'
import { TimeField } from '../../ui/dialogs/time-field.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import { OptionSelect } from '../../ui/option-select.tsx'
import { RemoveButton } from '../../ui/remove-button.tsx'
import { nameOf, type School, useSchool } from '../../ui/school.tsx'
import { Failure, Loading } from '../../ui/states.tsx'
import css from './wishes.module.css'

const BLANK = {
  weekdays: [] as readonly number[],
  time_from: '',
  time_to: '',
  minutes: 90 as number | '',
  lesson_type_id: '',
  instructor_id: '',
  until: '',
}

/** The times at which a student would like a lesson, to read, add and withdraw. */
export function Wishes({ studentId }: { readonly studentId: string }) {
  const { data, error, isError, refetch } = useQuery(wishesOf(studentId))
  if (!data) return isError ? <Failure error={error} retry={refetch} /> : <Loading />
  return (
    <div className={css.wishes}>
      <ul>
        {data.map((wish) => (
          <WishRow key={wish.id} wish={wish} />
        ))}
      </ul>
      <NewWish studentId={studentId} />
    </div>
  )
}

function WishRow({ wish }: { readonly wish: Wish }) {
  const school = useSchool()
  const { t } = useTranslation()
  const { mutate, error, isPending } = useMutation({ mutationFn: withdrawWish })
  const { minutes, lesson_type_id, instructor_id, until } = wish
  const instructor = school.instructor.get(instructor_id ?? '')
  const parts = [
    t('lesson.minutes', { count: minutes }),
    daysText(wish.weekdays, school),
    hoursText(wish),
    school.lessonType.get(lesson_type_id ?? '')?.name,
    instructor && nameOf(instructor),
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

function NewWish({ studentId }: { readonly studentId: string }) {
  const school = useSchool()
  const { t } = useTranslation()
  const [form, setForm] = useState(BLANK)
  const { mutate, error, isPending } = useMutation({ mutationFn: addWish, onSuccess: () => setForm(BLANK) })
  const edit = (part: Partial<typeof BLANK>) => setForm({ ...form, ...part })
  const { minutes, weekdays, time_from, time_to, lesson_type_id, instructor_id, until } = form
  const toggle = (day: number) =>
    edit({ weekdays: weekdays.includes(day) ? weekdays.filter((one) => one !== day) : [...weekdays, day] })
  const any = ['', t('wish.any')] as const
  const types = school.lessonTypes.filter(({ hidden, needs_student }) => !hidden && needs_student)
  const instructors = school.instructors.filter(({ active }) => active)
  const add = () => {
    if (minutes === '') return
    const wish = {
      minutes,
      weekdays: weekdays.length > 0 ? [...weekdays] : null,
      time_from: time_from || null,
      time_to: time_to || null,
      lesson_type_id: lesson_type_id || null,
      instructor_id: instructor_id || null,
      until: until || null,
    }
    mutate({ studentId, wish })
  }
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault()
        add()
      }}
    >
      <fieldset>
        <legend>{t('wish.days')}</legend>
        {WEEKDAYS.map((day) => (
          <label key={day}>
            <input type="checkbox" checked={weekdays.includes(day)} onChange={() => toggle(day)} />
            {dayName(day, school)}
          </label>
        ))}
      </fieldset>
      <NumberField
        label={t('wish.minutes')}
        min={1}
        max={1440}
        value={minutes}
        onChange={(count) => edit({ minutes: count })}
      />
      <TimeField
        label={t('wish.from')}
        step={15}
        value={time_from}
        onChange={(time) => edit({ time_from: time })}
      />
      <TimeField
        label={t('wish.to')}
        step={15}
        value={time_to}
        onChange={(time) => edit({ time_to: time })}
      />
      <div className={css.choice}>
        <span aria-hidden>{t('lesson.type')}</span>
        <OptionSelect
          label={t('lesson.type')}
          value={lesson_type_id}
          options={[any, ...types.map((one) => [one.id, one.name] as const)]}
          onChange={(id) => edit({ lesson_type_id: id })}
        />
      </div>
      <div className={css.choice}>
        <span aria-hidden>{t('lesson.instructor')}</span>
        <OptionSelect
          label={t('lesson.instructor')}
          value={instructor_id}
          options={[any, ...instructors.map((one) => [one.id, nameOf(one)] as const)]}
          onChange={(id) => edit({ instructor_id: id })}
        />
      </div>
      <DateField
        label={t('wish.until')}
        isOptional
        kind="coming"
        min={localToday(new Date(), school.tenant.timezone)}
        value={until}
        onChange={(date) => edit({ until: date })}
      />
      <FailureNotice error={error} title={t('booking.notSaved')} />
      <Button type="submit" isBusy={isPending} disabled={minutes === ''}>
        {t('wish.add')}
      </Button>
    </form>
  )
}

const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7]

function dayName(day: number, { format }: School): string {
  return format.weekday(`2024-01-0${day}`)
}

function daysText(days: Wish['weekdays'], school: School): string | undefined {
  return days?.map((day) => dayName(day, school)).join(', ')
}

function hoursText({ time_from, time_to }: Wish): string | undefined {
  if (!time_from && !time_to) return undefined
  return `${time_from ?? '00:00'}–${time_to ?? '24:00'}`
}
