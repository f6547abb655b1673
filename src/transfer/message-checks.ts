import { MESSAGE_KINDS } from '../domain/messages.ts'
import * as range from '../domain/ranges.ts'
import { STUDENT_PROOFS } from '../domain/student-actions.ts'
import * as is from './checks.ts'

const quiet = is.object({ from: is.timeOfDay, to: is.timeOfDay }, 'a time of day: from, to')

/** The settings of a school's messages, as they are stored in JSON. */
export const messageSettings = is.object(
  {
    ...Object.fromEntries(MESSAGE_KINDS.map((kind) => [kind, is.flag])),
    reminder_hours: is.listOf(is.integer(range.REMINDER_HOURS), range.MOST_REMINDERS),
    quiet: is.orNull(quiet),
  },
  `the settings of messages: ${[...MESSAGE_KINDS, 'reminder_hours', 'quiet'].join(', ')}`,
)

const ACTIONS = ['confirm', 'cancel', 'wish'] as const

/** The things that students may do on their page, as they are stored in JSON. */
export const studentActions = is.object(
  { ...Object.fromEntries(ACTIONS.map((name) => [name, is.flag])), proof: is.oneOf(STUDENT_PROOFS) },
  'what students may do: confirm, cancel, wish, proof',
)
