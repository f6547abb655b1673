import { labelsOf } from '../../../domain/fields.ts'
import { deLaterLabels } from '../../../domain/labels/de-later-labels.ts'
import { STUDENT_FIELDS } from '../../../domain/student-fields.ts'
import { deAbsence } from './de-absence.ts'
import { deAccount } from './de-account.ts'
import { deBooking } from './de-booking.ts'
import { deBusy } from './de-busy.ts'
import { deCancellations } from './de-cancellations.ts'
import { deChanges } from './de-changes.ts'
import { deCourse } from './de-course.ts'
import { deDialogs } from './de-dialogs.ts'
import { deEnquiries } from './de-enquiries.ts'
import { deExams } from './de-exams.ts'
import { deFiles } from './de-files.ts'
import { deGaps } from './de-gaps.ts'
import { deInbox } from './de-inbox.ts'
import { deInstructors } from './de-instructors.ts'
import { deLegend } from './de-legend.ts'
import { deMessages } from './de-messages.ts'
import { deMinutes } from './de-minutes.ts'
import { deNumbers } from './de-numbers.ts'
import { dePeople } from './de-people.ts'
import { dePlanning } from './de-planning.ts'
import { deRecords } from './de-records.ts'
import { deRefusals } from './de-refusals.ts'
import { deRequests } from './de-requests.ts'
import { deRetention } from './de-retention.ts'
import { deSecondFactor } from './de-second-factor.ts'
import { deSettings } from './de-settings.ts'
import { deSetup } from './de-setup.ts'
import { deSso } from './de-sso.ts'
import { deStudentActions } from './de-student-actions.ts'
import { deToday } from './de-today.ts'
import { deTrainings } from './de-trainings.ts'
import { deUsers } from './de-users.ts'
import { deWebhooks } from './de-webhooks.ts'

/** The texts of pages and dialogs that are fetched when they open. */
export const deLater = {
  field: { ...labelsOf(STUDENT_FIELDS, 'de'), ...deLaterLabels },
  refusal: deRefusals,
  ...deAccount,
  ...deAbsence,
  ...deBusy,
  ...deCancellations,
  ...deChanges,
  ...deCourse,
  ...deDialogs,
  ...deEnquiries,
  ...deExams,
  ...deFiles,
  ...deGaps,
  ...deInbox,
  ...deInstructors,
  ...deRetention,
  ...deLegend,
  ...deMessages,
  ...deMinutes,
  ...deNumbers,
  ...dePeople,
  ...dePlanning,
  ...deRecords,
  ...deRequests,
  ...deSecondFactor,
  ...deSettings,
  ...deSetup,
  ...deBooking,
  ...deSso,
  ...deStudentActions,
  ...deToday,
  ...deTrainings,
  ...deUsers,
  ...deWebhooks,
}

/** Every language has the same texts. */
export type LaterTexts = typeof deLater
