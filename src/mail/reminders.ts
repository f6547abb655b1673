import type { Tenant } from '../contract/tenant.ts'
import { expectedIn, type MessageRecipient } from '../db/message-facts.ts'
import { type NewMessage, reachFields } from '../db/messages.ts'
import { remindersOf } from '../domain/messages.ts'
import type { ComingLesson } from './derive-messages.ts'

/** Returns the reminders of lessons whose moment lies after a time. Each has an occasion, so that it is queued once. */
export function remindersFor(
  { messages, timezone }: Pick<Tenant, 'messages' | 'timezone'>,
  coming: readonly ComingLesson[],
  recipients: ReadonlyMap<string, MessageRecipient>,
): readonly NewMessage[] {
  return coming.flatMap(({ lesson, after }) => {
    const { students, ...told } = expectedIn(lesson)
    const reminders = remindersOf(told.start_at, messages, { timezone, after })
    return [...students].flatMap((student_id) => {
      const recipient = recipients.get(student_id)
      if (!recipient) return []
      return reminders.map(({ hours, send_at, worth_until }) => ({
        kind: 'reminder' as const,
        student_id,
        lessons: [{ ...told, was: null }],
        params: { hours },
        occasion: `reminder ${told.appointment_id} ${student_id} ${told.start_at} ${hours}`,
        ...reachFields(recipient),
        send_at,
        worth_until,
      }))
    })
  })
}
