/** The changes visible to the snapshot `seen`, valid until its database restarts; then its time `at` replaces it. */
export type LogMark = { readonly server: string; readonly at: string; readonly seen: string }

/** A follower's place in the log of changes. */
export type Position = LogMark & {
  /** Set while a response comes in pieces: the last change sent, and the mark to take once all are. */
  readonly piece?: { readonly at: string; readonly id: string; readonly until: LogMark } | undefined
}
