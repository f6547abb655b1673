import type { Pauses } from '../outbox/failing-receivers.ts'

export type WebhookIntervals = Pauses & {
  readonly look: number
  readonly send: number
  /** The time after which the turn of a webhook ends. */
  readonly turn: number
  /** The time after which a failing webhook is disabled, or a failing delivery given up. */
  readonly patience: number
}

export const WEBHOOK_INTERVALS: WebhookIntervals = {
  look: 5_000,
  send: 10_000,
  turn: 15_000,
  firstPause: 5_000,
  longestPause: 3_600_000,
  patience: 3 * 24 * 3_600_000,
}
