type Action = { readonly submittedAt: number; readonly error: unknown }

/** Returns the error of the action that was begun last; null if it has none. Of actions begun at once, the first counts. */
export function newestError(...actions: readonly Action[]): unknown {
  return actions.toSorted((one, other) => other.submittedAt - one.submittedAt)[0]?.error
}
