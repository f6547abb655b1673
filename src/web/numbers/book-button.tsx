import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { localToday } from '../../domain/time-zone.ts'
import { useLessonActions } from '../lessons/lesson-actions.ts'
import { practicalTestOf } from '../lessons/practical-test.ts'
import { Button } from '../ui/button.tsx'
import { Deferred } from '../ui/deferred.tsx'
import { nameOf, useSchool } from '../ui/school.tsx'
import css from './numbers-page.module.css'

const loadBooking = () => import('../booking/booking-dialog.tsx')
const NO_LESSONS = [] as const

type BookButtonProps = {
  readonly studentId: string
  /** Whether to book the practical test. */
  readonly isForTest?: boolean
}

/** Opens the form of a new lesson with the student. */
export function BookButton({ studentId, isForTest = false }: BookButtonProps) {
  const school = useSchool()
  const { tenant, student: students } = school
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const { reportBooked } = useLessonActions(NO_LESSONS)
  const student = students.get(studentId)
  if (!student) return null
  const { preferred_instructor_id: instructor_id } = student
  const test = isForTest ? practicalTestOf(school) : undefined
  const label = t(test ? 'numbers.list.bookTest' : 'action.book')
  const start = {
    date: localToday(new Date(), tenant.timezone),
    student_id: studentId,
    ...(test && { lesson_type_id: test.id }),
    ...(instructor_id && { instructor_id }),
    isFinding: true,
  }
  return (
    <>
      <Button
        className={css.screen}
        aria-label={`${nameOf(student)}: ${label}`}
        onClick={() => setOpen(true)}
      >
        {label}
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
