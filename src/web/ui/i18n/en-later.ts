import { labelsOf } from '../../../domain/fields.ts'
import { enLaterLabels } from '../../../domain/labels/en-later-labels.ts'
import { STUDENT_FIELDS } from '../../../domain/student-fields.ts'
import type { LaterTexts } from './de-later.ts'
import { enAbsence } from './en-absence.ts'
import { enAccount } from './en-account.ts'
import { enBooking } from './en-booking.ts'
import { enBusy } from './en-busy.ts'
import { enCancellations } from './en-cancellations.ts'
import { enChanges } from './en-changes.ts'
import { enCourse } from './en-course.ts'
import { enDialogs } from './en-dialogs.ts'
import { enEnquiries } from './en-enquiries.ts'
import { enExams } from './en-exams.ts'
import { enFiles } from './en-files.ts'
import { enGaps } from './en-gaps.ts'
import { enInbox } from './en-inbox.ts'
import { enInstructors } from './en-instructors.ts'
import { enLegend } from './en-legend.ts'
import { enMessages } from './en-messages.ts'
import { enMinutes } from './en-minutes.ts'
import { enNumbers } from './en-numbers.ts'
import { enPeople } from './en-people.ts'
import { enPlanning } from './en-planning.ts'
import { enRecords } from './en-records.ts'
import { enRefusals } from './en-refusals.ts'
import { enRequests } from './en-requests.ts'
import { enRetention } from './en-retention.ts'
import { enSecondFactor } from './en-second-factor.ts'
import { enSettings } from './en-settings.ts'
import { enSetup } from './en-setup.ts'
import { enSso } from './en-sso.ts'
import { enStudentActions } from './en-student-actions.ts'
import { enToday } from './en-today.ts'
import { enTrainings } from './en-trainings.ts'
import { enUsers } from './en-users.ts'
import { enWebhooks } from './en-webhooks.ts'

export const enLater: LaterTexts = {
  field: { ...labelsOf(STUDENT_FIELDS, 'en'), ...enLaterLabels },
  refusal: enRefusals,
  ...enAccount,
  ...enAbsence,
  ...enBusy,
  ...enCancellations,
  ...enChanges,
  ...enCourse,
  ...enDialogs,
  ...enEnquiries,
  ...enExams,
  ...enFiles,
  ...enGaps,
  ...enInbox,
  ...enInstructors,
  ...enRetention,
  ...enLegend,
  ...enMessages,
  ...enMinutes,
  ...enNumbers,
  ...enPeople,
  ...enPlanning,
  ...enRecords,
  ...enRequests,
  ...enSecondFactor,
  ...enSettings,
  ...enSetup,
  ...enBooking,
  ...enSso,
  ...enStudentActions,
  ...enToday,
  ...enTrainings,
  ...enUsers,
  ...enWebhooks,
}
