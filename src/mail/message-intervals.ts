import type { MailIntervals } from './mail-dispatcher.ts'

/** The intervals in milliseconds. After each message the dispatcher rests for `rest` times as long as it used the database. */
export type MessageIntervals = MailIntervals & { readonly rest: number }

export const MESSAGE_INTERVALS: MessageIntervals = {
  look: 5_000,
  send: 60_000,
  firstPause: 5_000,
  longestPause: 60_000,
  stop: 5_000,
  rest: 4,
}
