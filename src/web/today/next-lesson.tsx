import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import { dateOf, timeOf } from '../../domain/local-time.ts'
import { bookAppointment } from '../data/appointments.ts'
import { progressOfStudent } from '../data/progress.ts'
import { slotsAround } from '../data/slots.ts'
import { lessonText } from '../lessons/lesson-texts.ts'
import { Button } from '../ui/button.tsx'
import { Deferred } from '../ui/deferred.tsx'
import { FailureNotice } from '../ui/failure-notice.tsx'
import { knownLocation, useSchool } from '../ui/school.tsx'
import { Failure, Loading } from '../ui/states.tsx'
import { toast } from '../ui/toasts.ts'
import css from './next-lesson.module.css'
import { type NextLesson, nextLessonAfter, nextTimes, nextTimesQuery } from './next-times.ts'
import { mayBook } from './own-bookings.tsx'

const loadBooking = () => import('../booking/booking-dialog.tsx')

type NextLessonProps = { readonly lesson: Appointment; readonly now: string }

/** Books the student's next lesson in two taps, if the school lets the user book. */
export function BookNext({ lesson, now }: NextLessonProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const [isOther, setOther] = useState(false)
  const student_id = lesson.student_id ?? ''
  const { data: progress, isPending } = useQuery({
    ...progressOfStudent(student_id),
    enabled: isOpen,
  })
  if (!school.student.has(student_id) || !mayBook(school)) return null
  const next = nextLessonAfter(lesson, progress, school.lessonType)
  const close = () => setOpen(false)
  const start = {
    date: dateOf(now),
    instructor_id: lesson.instructor_id,
    student_id,
    ...(next && { lesson_type_id: next.type.id }),
    isFinding: true,
  }
  return (
    <section className={css.next}>
      <Button className={css.button} icon="plus" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {t('today.bookNext')}
      </Button>
      {isOpen && isPending && <Loading />}
      {isOpen && !isPending && next && <Times {...{ lesson, next, now }} onBooked={close} />}
      {isOpen && (
        <Button className={css.button} icon="search" onClick={() => setOther(true)}>
          {t('today.otherTime')}
        </Button>
      )}
      {isOther && (
        <Deferred load={loadBooking} props={{ start, onBooked: close, onClose: () => setOther(false) }} />
      )}
    </section>
  )
}

type TimesProps = NextLessonProps & { readonly next: NextLesson; readonly onBooked: () => void }

function Times({ lesson, next, now, onBooked }: TimesProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const today = dateOf(now)
  const query = nextTimesQuery(lesson, next, { own: lesson.instructor_id, today })
  const { data, error, isError, refetch } = useQuery(slotsAround(query))
  const {
    mutate,
    error: refusal,
    isPending,
  } = useMutation({
    mutationFn: bookAppointment,
    onSuccess: (booked) => {
      toast({ kind: 'done', text: t('booking.booked', { what: lessonText(booked, school, t) }) })
      onBooked()
    },
  })
  if (!data) return isError ? <Failure error={error} retry={refetch} /> : <Loading />
  const { instructor_id, student_id, vehicle_ids, pickup_place } = lesson
  const like = { instructor_id, student_id, vehicle_ids, pickup_place }
  const times = nextTimes(data, lesson, today)
  return (
    <>
      <p className={css.what}>
        {next.type.name}, {t('lesson.minutes', { count: next.minutes })}
      </p>
      {times.length === 0 && <p>{t('today.noTime')}</p>}
      {times.map(({ start_at, end_at }) => (
        <Button
          key={start_at}
          className={css.button}
          look="primary"
          isBusy={isPending}
          onClick={() =>
            mutate({
              ...like,
              location_id: knownLocation(school, lesson),
              lesson_type_id: next.type.id,
              start_at,
              end_at,
            })
          }
        >
          {school.format.day(dateOf(start_at))}, {timeOf(start_at)}–{timeOf(end_at)}
        </Button>
      ))}
      <FailureNotice error={refusal} title={t('booking.notSaved')} />
    </>
  )
}
