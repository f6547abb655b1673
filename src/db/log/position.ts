/** The changes visible to the snapshot `seen`; those before the time `at` if the database has restarted since `server`. */
export type LogMark = { readonly server: string; readonly at: string; readonly seen: string }

/** A follower's place in the log of changes. */
export type Position = LogMark & {
  /** The last change sent, while a response is sent in pieces, and the mark to use after the last piece. */
  readonly piece?: { readonly at: string; readonly id: string; readonly until: LogMark } | undefined
}
