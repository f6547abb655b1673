import { NO_ENQUIRIES } from '../../src/domain/enquiries.ts'
import { NO_MESSAGES } from '../../src/domain/messages.ts'
import { NO_STUDENT_ACTIONS } from '../../src/domain/student-actions.ts'
import { NO_STUDENT_BOOKING } from '../../src/domain/student-booking.ts'

/** The settings that are off in a new school. */
export const ALL_OFF = {
  messages: NO_MESSAGES,
  student_actions: NO_STUDENT_ACTIONS,
  students_may_move: false,
  student_booking: NO_STUDENT_BOOKING,
  enquiries: NO_ENQUIRIES,
}
