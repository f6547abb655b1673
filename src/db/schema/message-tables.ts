import type { ColumnType, Generated } from 'kysely'
import type { MailText } from '../../contract/mail.ts'
import type { MessageChannel } from '../../domain/message-channels.ts'
import type { MessageKind, MessageLesson } from '../../domain/messages.ts'

export type MessageCauseTable = {
  tenant_id: string
  id: string
  at: Date
}

/** The values of a message other than its lessons: a secret URL, an offer, the hours of a reminder, a date, or wishes. */
export type MessageParams = {
  readonly url?: string
  readonly hours?: number
  readonly date?: string
  readonly offer_id?: string
  readonly wishes?: readonly { readonly student_id: string; readonly wish_id: string }[]
}

export type MessageTable = {
  tenant_id: string
  id: string
  created_at: Generated<Date>
  kind: MessageKind
  student_id: string | null
  instructor_id: string | null
  set_id: string | null
  appointment_ids: ColumnType<string[], string, string>
  lessons: ColumnType<MessageLesson[], string, string>
  /** JSON text, deleted once the message is finished. */
  params: ColumnType<MessageParams | null, string | null, string | null>
  /** The occasion, such as a reminder of a lesson, that gets only one message. */
  occasion: string | null
  channel: Generated<MessageChannel>
  contact_name: string | null
  to_address: string | null
  state: Generated<'waiting' | 'sent' | 'failed' | 'dropped'>
  reason: string | null
  send_at: Date
  worth_until: Date
  attempts: Generated<number>
  next_attempt_at: Date
  claimed_until: Date | null
  finished_at: Date | null
}

export type AvailabilityRoundTable = {
  tenant_id: string
  id: string
  week_start: string
  due_at: Date
  state: Generated<'waiting' | 'asking' | 'asked' | 'skipped'>
  student_ids: Generated<string[]>
  finished_at: Date | null
}

export type MailTable = {
  tenant_id: string
  id: string
  created_at: Generated<Date>
  to_address: string
  to_name: string
  template: MailText['template']
  params: ColumnType<MailText['params'] | null, string, null>
  worth_until: Date
  state: Generated<'waiting' | 'sent' | 'given_up'>
  attempts: Generated<number>
  next_attempt_at: Generated<Date>
  claimed_until: Date | null
  last_error: string | null
  finished_at: Date | null
}
