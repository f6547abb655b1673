import type { MailIntervals } from './mail-dispatcher.ts'

export type MessageIntervals = MailIntervals & {
  /** The time limit of an attempt by a program or devices; `send` is that of a mail. */
  readonly sendByHttp: number
  /** After a message the dispatcher rests for this many times as long as it used the database. */
  readonly rest: number
}

export const MESSAGE_INTERVALS: MessageIntervals = {
  look: 5_000,
  send: 60_000,
  sendByHttp: 10_000,
  firstPause: 5_000,
  longestPause: 60_000,
  stop: 5_000,
  rest: 4,
}
