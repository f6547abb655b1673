import type { LaterTexts } from './de-later.ts'
import { enAbsence } from './en-absence.ts'
import { enAccount } from './en-account.ts'
import { enBooking } from './en-booking.ts'
import { enCancellations } from './en-cancellations.ts'
import { enChanges } from './en-changes.ts'
import { enCourse } from './en-course.ts'
import { enDialogs } from './en-dialogs.ts'
import { enExams } from './en-exams.ts'
import { enFiles } from './en-files.ts'
import { enGaps } from './en-gaps.ts'
import { enInstructors } from './en-instructors.ts'
import { enMessages } from './en-messages.ts'
import { enPeople } from './en-people.ts'
import { enSettings } from './en-settings.ts'
import { enSetup } from './en-setup.ts'
import { enStudentActions } from './en-student-actions.ts'
import { enToday } from './en-today.ts'
import { enUsers } from './en-users.ts'
import { enWebhooks } from './en-webhooks.ts'

export const enLater: LaterTexts = {
  ...enAccount,
  ...enAbsence,
  ...enCancellations,
  ...enChanges,
  ...enCourse,
  ...enDialogs,
  ...enExams,
  ...enFiles,
  ...enGaps,
  ...enInstructors,
  ...enMessages,
  ...enPeople,
  ...enSettings,
  ...enSetup,
  ...enBooking,
  ...enStudentActions,
  ...enToday,
  ...enUsers,
  ...enWebhooks,
}
