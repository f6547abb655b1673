import { Problem } from '../contract/problem.ts'

/** Whether the client has seen the stored version, according to `If-Match`; always true without that header. */
export type ExpectedVersion = (version: number) => boolean

export type Intent<Change> = { readonly change: Change; readonly isExpected: ExpectedVersion }

export function requireExpected(
  isExpected: ExpectedVersion,
  { version }: { readonly version: number },
): void {
  if (!isExpected(version)) throw new Problem('stale')
}
