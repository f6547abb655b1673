import { invalidRequest, type Problem } from '../../contract/problem.ts'

/** Counts the Host headers in a list of alternating names and values. Node's `headers` drops the second one. */
export function countOfHosts(rawHeaders: readonly string[]): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === 'host') count += 1
  return count
}

/** Returns the problem for a request with no Host header, or several. */
export function hostHeaderProblem(): Problem {
  return invalidRequest([{ pointer: '', code: 'required', detail: 'HTTP/1.1 needs one Host header.' }])
}
