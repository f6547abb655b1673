import { invalidRequest, type Problem } from '../../contract/problem.ts'

/** Counts Host headers in names and values that take turns: Node itself drops the second. */
export function countOfHosts(rawHeaders: readonly string[]): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === 'host') count += 1
  return count
}

/** Returns the problem of a request with no Host header, or with two. */
export function withoutOneHost(): Problem {
  return invalidRequest([{ pointer: '', code: 'required', detail: 'HTTP/1.1 needs one Host header.' }])
}
