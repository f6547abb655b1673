import type { Appointment, AppointmentChange } from '../../contract/appointment.ts'
import { MINUTES_PER_WEEK, minutesLater } from '../../domain/local-time.ts'
import { nameOf } from '../ui/school.tsx'
import { act, noteStep } from '../undo/steps.ts'
import { booked, booking, changed, changing, type Desk, deleting } from './lesson-deeds.ts'
import { lessonWords } from './lesson-words.ts'
import { type Change, stepWords } from './step-words.ts'

/** Changes a lesson at once on the screen. Whether the service has done it; if not, it is told why. */
export function change(
  desk: Desk,
  lesson: Appointment,
  wanted: AppointmentChange,
  kind: Change,
): Promise<boolean> {
  const { t } = desk
  const words = stepWords(kind, { ...lesson, ...wanted }, desk, lesson)
  return act(changing(desk, lesson, wanted), {
    told: ({ stands }) => ({
      text: t(`booking.${kind}`, { what: withNewInstructor(stands, desk, lesson, wanted) }),
      words,
    }),
    failed: (why) => `${t('booking.notSaved')}: ${why}`,
  })
}

/** Deletes a lesson at once on the screen. Whether the service has done it; if not, it is told why. */
export function remove(desk: Desk, lesson: Appointment): Promise<boolean> {
  const { t } = desk
  const words = stepWords('deleted', lesson, desk)
  return act(deleting(desk, lesson), {
    told: ({ stands: what }) => ({ text: t('booking.deleted', { what }), words }),
    failed: (why) => `${t('booking.notSaved')}: ${why}`,
  })
}

/** Books the same lesson a week later, or tells why not. */
export function duplicate(desk: Desk, lesson: Appointment): Promise<boolean> {
  const { school, t } = desk
  const start_at = minutesLater(lesson.start_at, MINUTES_PER_WEEK)
  const like = { ...lesson, start_at, end_at: minutesLater(lesson.end_at, MINUTES_PER_WEEK) }
  return act(booking(desk, like), {
    told: ({ stands: what }) => ({
      text: t('booking.booked', { what }),
      words: stepWords('booked', like, desk),
    }),
    failed: (why) => `${t('booking.notSaved')}: ${lessonWords(like, school, t)}: ${why}`,
  })
}

/** Reports that a form has booked a lesson, and offers to undo it. */
export function tellBooked(desk: Desk, lesson: Appointment): void {
  const text = desk.t('booking.booked', { what: lessonWords(lesson, desk.school, desk.t) })
  noteStep({ text, words: stepWords('booked', lesson, desk) }, booked(desk, lesson))
}

/** Reports that a form has changed a lesson, which was `before`, and offers to undo it. */
export function tellSaved(desk: Desk, before: Appointment, lesson: Appointment): void {
  const stands = lessonWords(lesson, desk.school, desk.t)
  const text = desk.t('booking.saved', { what: withNewInstructor(stands, desk, before, lesson) })
  noteStep({ text, words: stepWords('changed', lesson, desk) }, changed(desk, before, lesson))
}

/** Returns the words for a changed lesson, followed by its instructor if that is another one. */
function withNewInstructor(
  stands: string | undefined,
  { school }: Desk,
  before: Appointment,
  { instructor_id = before.instructor_id }: AppointmentChange,
): string {
  const words = stands ?? ''
  const instructor = school.instructor.get(instructor_id)
  return instructor && instructor_id !== before.instructor_id ? `${words} · ${nameOf(instructor)}` : words
}
