import type { Tenant } from '../contract/tenant.ts'
import { expectedIn, type MessageLessonRow, type MessageRecipient } from '../db/messages/message-facts.ts'
import { contactFields, type NewMessage } from '../db/messages/messages.ts'
import { remindersOf } from '../domain/message-times.ts'

/** A lesson, and the time before which no reminder of it is queued. */
export type ComingLesson = { readonly lesson: MessageLessonRow; readonly after: Date }

/** Returns the reminders of lessons that are due after `after`. Each has an occasion, so that it is queued once. */
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
        ...contactFields(recipient),
        send_at,
        worth_until,
      }))
    })
  })
}
