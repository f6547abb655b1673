export type WebhookIntervals = {
  readonly look: number
  readonly send: number
  /** The time after which the turn of a webhook ends. */
  readonly turn: number
  /** The pause after the first failure. Each further one doubles it, up to `longestPause`. */
  readonly firstPause: number
  readonly longestPause: number
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

export function pauseAfter(failures: number, { firstPause, longestPause }: WebhookIntervals): number {
  return Math.min(firstPause * 2 ** (failures - 1), longestPause)
}
