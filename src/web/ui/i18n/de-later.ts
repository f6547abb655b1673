import { deAccount } from './de-account.ts'
import { deAway } from './de-away.ts'
import { deCancellations } from './de-cancellations.ts'
import { deChanges } from './de-changes.ts'
import { deDates } from './de-dates.ts'
import { deDeleted } from './de-deleted.ts'
import { deDialogs } from './de-dialogs.ts'
import { deExams } from './de-exams.ts'
import { deFiles } from './de-files.ts'
import { deGaps } from './de-gaps.ts'
import { deHints } from './de-hints.ts'
import { deInstructors } from './de-instructors.ts'
import { deLinks } from './de-links.ts'
import { deMessages } from './de-messages.ts'
import { deMissed } from './de-missed.ts'
import { dePeople } from './de-people.ts'
import { deSeries } from './de-series.ts'
import { deSets } from './de-sets.ts'
import { deSettings } from './de-settings.ts'
import { deSetup } from './de-setup.ts'
import { deSlots } from './de-slots.ts'
import { deStudentActions } from './de-student-actions.ts'
import { deToday } from './de-today.ts'
import { deUsers } from './de-users.ts'
import { deWebhooks } from './de-webhooks.ts'

/** The texts of pages and dialogs that are fetched when they open. */
export const deLater = {
  ...deAccount,
  ...deAway,
  ...deCancellations,
  ...deChanges,
  ...deDeleted,
  ...deDates,
  ...deDialogs,
  ...deExams,
  ...deFiles,
  ...deGaps,
  ...deHints,
  ...deInstructors,
  ...deLinks,
  ...deMessages,
  ...deMissed,
  ...dePeople,
  ...deSeries,
  ...deSets,
  ...deSettings,
  ...deSetup,
  ...deSlots,
  ...deStudentActions,
  ...deToday,
  ...deUsers,
  ...deWebhooks,
}

/** Every language has the same. */
export type LaterTexts = typeof deLater
