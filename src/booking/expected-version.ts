import { Problem } from '../contract/problem.ts'

/** Whether the client has seen a stored version. Built from `If-Match`; always true without that header. */
export type ExpectedVersion = (version: number) => boolean

export function requireExpected(
  isExpected: ExpectedVersion,
  { version }: { readonly version: number },
): void {
  if (!isExpected(version)) throw new Problem('stale')
}
