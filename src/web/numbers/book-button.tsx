import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { localToday } from '../../domain/time-zone.ts'
import { useLessonActions } from '../lessons/lesson-actions.ts'
import { Button } from '../ui/button.tsx'
import { Deferred } from '../ui/deferred.tsx'
import { nameOf, useSchool } from '../ui/school.tsx'
import css from './numbers-page.module.css'

const loadBooking = () => import('../booking/booking-dialog.tsx')
const NO_LESSONS = [] as const

/** Opens the form of a new lesson with the student. */
export function BookButton({ studentId }: { readonly studentId: string }) {
  const { tenant, student: students } = useSchool()
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const { reportBooked } = useLessonActions(NO_LESSONS)
  const student = students.get(studentId)
  if (!student) return null
  const { preferred_instructor_id: instructor_id } = student
  const start = {
    date: localToday(new Date(), tenant.timezone),
    student_id: studentId,
    ...(instructor_id && { instructor_id }),
    isFinding: true,
  }
  return (
    <>
      <Button
        className={css.screen}
        aria-label={`${nameOf(student)}: ${t('action.book')}`}
        onClick={() => setOpen(true)}
      >
        {t('action.book')}
      </Button>
      {isOpen && (
        <Deferred
          load={loadBooking}
          props={{ start, onBooked: reportBooked, onClose: () => setOpen(false) }}
        />
      )}
    </>
  )
}
