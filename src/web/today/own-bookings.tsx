import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import { dateOf, type LocalDate } from '../../domain/local-time.ts'
import { lessonText } from '../lessons/lesson-texts.ts'
import { Button } from '../ui/button.tsx'
import { Deferred } from '../ui/deferred.tsx'
import { type School, useSchool } from '../ui/school.tsx'
import { toast } from '../ui/toasts.ts'
import css from './own-bookings.module.css'

const loadBooking = () => import('../booking/booking-dialog.tsx')
const loadCancelling = () => import('../booking/cancel-dialog.tsx')

/** Whether the user may book, move and cancel their own lessons. */
export function mayBook({ user, tenant }: Pick<School, 'user' | 'tenant'>): boolean {
  return user.role !== 'instructor' || tenant.instructors_may !== 'nothing'
}

type BookButtonProps = {
  readonly date: LocalDate
  readonly onBooked: (lesson: Appointment) => void
}

/** Books a lesson of the user's own on the day shown, if the school allows it. */
export function BookButton({ date, onBooked }: BookButtonProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const own = school.user.instructor_id
  if (own === null || !mayBook(school)) return null
  const report = (lesson: Appointment) => {
    toast({ kind: 'done', text: t('booking.booked', { what: lessonText(lesson, school, t) }) })
    onBooked(lesson)
  }
  const props = { start: { date, instructor_id: own }, onBooked: report, onClose: () => setOpen(false) }
  return (
    <>
      <Button
        className={css.button}
        icon="plus"
        aria-label={t('booking.title')}
        onClick={() => setOpen(true)}
      />
      {isOpen && <Deferred load={loadBooking} props={props} />}
    </>
  )
}

/** Edits or cancels a planned lesson of the user's own, if the school allows it. */
export function LessonChanges({ lesson }: { lesson: Appointment }) {
  const school = useSchool()
  const { t } = useTranslation()
  const [open, setOpen] = useState<'edit' | 'cancel'>()
  const onClose = () => setOpen(undefined)
  if (lesson.status !== 'planned' || !mayBook(school)) return null
  const start = { date: dateOf(lesson.start_at), editing: lesson }
  return (
    <div className={css.changes}>
      <Button className={css.button} icon="edit" onClick={() => setOpen('edit')}>
        {t('action.edit')}
      </Button>
      <Button className={css.button} icon="close" onClick={() => setOpen('cancel')}>
        {t('lesson.markCancelled')}
      </Button>
      {open === 'edit' && (
        <Deferred load={loadBooking} props={{ start, onBooked: () => undefined, onClose }} />
      )}
      {open === 'cancel' && <Deferred load={loadCancelling} props={{ lesson, onClose }} />}
    </div>
  )
}
