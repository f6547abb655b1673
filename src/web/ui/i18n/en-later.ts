import type { LaterTexts } from './de-later.ts'
import { enAccount } from './en-account.ts'
import { enAway } from './en-away.ts'
import { enCancellations } from './en-cancellations.ts'
import { enChanges } from './en-changes.ts'
import { enDates } from './en-dates.ts'
import { enDeleted } from './en-deleted.ts'
import { enDialogs } from './en-dialogs.ts'
import { enExams } from './en-exams.ts'
import { enFiles } from './en-files.ts'
import { enGaps } from './en-gaps.ts'
import { enHints } from './en-hints.ts'
import { enInstructors } from './en-instructors.ts'
import { enLinks } from './en-links.ts'
import { enMessages } from './en-messages.ts'
import { enMissed } from './en-missed.ts'
import { enPeople } from './en-people.ts'
import { enSeries } from './en-series.ts'
import { enSets } from './en-sets.ts'
import { enSettings } from './en-settings.ts'
import { enSetup } from './en-setup.ts'
import { enSlots } from './en-slots.ts'
import { enStudentActions } from './en-student-actions.ts'
import { enToday } from './en-today.ts'
import { enUsers } from './en-users.ts'
import { enWebhooks } from './en-webhooks.ts'

export const enLater: LaterTexts = {
  ...enAccount,
  ...enAway,
  ...enCancellations,
  ...enChanges,
  ...enDeleted,
  ...enDates,
  ...enDialogs,
  ...enExams,
  ...enFiles,
  ...enGaps,
  ...enHints,
  ...enInstructors,
  ...enLinks,
  ...enMessages,
  ...enMissed,
  ...enPeople,
  ...enSeries,
  ...enSets,
  ...enSettings,
  ...enSetup,
  ...enSlots,
  ...enStudentActions,
  ...enToday,
  ...enUsers,
  ...enWebhooks,
}
