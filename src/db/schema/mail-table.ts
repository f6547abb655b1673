import type { ColumnType, Generated } from 'kysely'
import type { MailText } from '../../contract/mail.ts'

export type MailTable = {
  tenant_id: string
  id: string
  created_at: Generated<Date>
  to_address: string
  to_name: string
  template: MailText['template']
  /** JSON text, deleted once the mail is sent or given up. */
  params: ColumnType<MailText['params'] | null, string, null>
  worth_until: Date
  state: Generated<'waiting' | 'sent' | 'given_up'>
  attempts: Generated<number>
  next_attempt_at: Generated<Date>
  claimed_until: Date | null
  last_error: string | null
  finished_at: Date | null
}
