import type { MailIntervals } from './mail-dispatcher.ts'

/** Times of sending, in milliseconds. After a message requests have the database for `rest` times as long as it had it. */
export type MessageIntervals = MailIntervals & { readonly rest: number }

export const MESSAGE_INTERVALS: MessageIntervals = {
  look: 5_000,
  send: 60_000,
  firstPause: 5_000,
  longestPause: 60_000,
  stop: 5_000,
  rest: 4,
}
