import { filled, type PageMessages } from '../../booking/packs/page-messages.ts'
import type { StudentLesson } from '../../db/calendars/shared-lessons.ts'

export type LessonStatus = Pick<StudentLesson, 'status' | 'is_confirmed' | 'cancelled_by' | 'fee_percent'>

/** Returns the status of a lesson in the student's words, with the party of a cancellation and the fee; empty if it is planned. */
export function statusText(
  { status, is_confirmed, cancelled_by, fee_percent }: LessonStatus,
  { texts, locale }: { readonly texts: PageMessages; readonly locale: string },
): string {
  if (status !== 'cancelled' && status !== 'no_show') return is_confirmed ? texts.confirmed : ''
  const what = status === 'no_show' ? texts.no_show : partyText(cancelled_by, texts)
  if (fee_percent === null || (fee_percent === 0 && cancelled_by === 'school')) return what
  const percent = new Intl.NumberFormat(locale, { style: 'percent' }).format(fee_percent / 100)
  return `${what} · ${fee_percent > 0 ? filled(texts.fee, { percent }) : texts.no_fee}`
}

function partyText(by: LessonStatus['cancelled_by'], texts: PageMessages): string {
  if (by === null) return texts.cancelled
  return by === 'student' ? texts.cancelled_student : texts.cancelled_school
}
