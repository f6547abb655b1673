import { Problem } from '../contract/problem.ts'

/** Whether a stored version is one that the client has seen: made from `If-Match`, true without that header. */
export type ExpectedVersion = (version: number) => boolean

/** Refuses to overwrite what the client has not seen. */
export function requireExpected(
  isExpected: ExpectedVersion,
  { version }: { readonly version: number },
): void {
  if (!isExpected(version)) throw new Problem('stale')
}
