import type { ColumnType, Generated } from 'kysely'
import type { Delivery, Webhook } from '../../contract/webhook.ts'
import type { Position } from '../log/position.ts'
import type { VersionedColumns } from './catalogue-tables.ts'

export type WebhookTable = VersionedColumns & {
  tenant_id: string
  id: string
  url: string
  events: ColumnType<string[], string, string>
  /** The secret, sealed by `auth/webhook-secrets.ts`. */
  secret: Buffer
  disabled_at: Date | null
  disabled_reason: Webhook['disabled_reason']
  position: ColumnType<Position, string, string>
  /** The number of the current replay; deliveries of an earlier round are queued again. */
  round: Generated<number>
  /** The number of claims, changes and replays, each of which ends an earlier claim. */
  turn: Generated<number>
  /** The turn of the process that serves the webhook; null if none does. */
  held_turn: number | null
  next_look_at: Generated<Date>
  failures: Generated<number>
  failing_since: Date | null
}

export type WebhookDeliveryTable = {
  tenant_id: string
  webhook_id: string
  id: string
  changed_at: Date
  type: string
  resource_id: string
  sequence: Generated<string>
  round: number
  state: Generated<Delivery['state']>
  attempts: Generated<number>
  next_attempt_at: Generated<Date>
  failing_since: Date | null
  status: number | null
  error: string | null
  created_at: Generated<Date>
  finished_at: Date | null
}
