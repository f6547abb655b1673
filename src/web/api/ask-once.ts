import { ask } from '../session/ask.ts'

/** The keys of what was sent and not answered, by what it said: the service may have done it all the same. */
const unanswered = new Map<string, string>()

/**
 * Asks for something to be made: the same content has the same key until it has been made, so that it is made once, however
 * often it is sent. A refusal leaves nothing under a key, which may then be used again. Throws `ApiProblem` or `Unreachable`.
 */
export async function askOnce(path: string, body: unknown): Promise<Response> {
  const content = `${path} ${JSON.stringify(body)}`
  const key = unanswered.get(content) ?? crypto.randomUUID()
  unanswered.set(content, key)
  const answer = await ask(path, { method: 'POST', body, headers: { 'idempotency-key': key } })
  unanswered.delete(content)
  return answer
}

/** Whether this is what was answered, or would have been, to an earlier request; since then it may have changed. */
export function isReplayed({ headers }: Response): boolean {
  return headers.has('idempotency-replayed')
}
