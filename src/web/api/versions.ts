import { ask, askFor } from '../session/ask.ts'
import { ApiProblem, type Question } from '../session/send.ts'

/** What was to be changed has been changed by somebody else; `current` is how it stands now. */
export class Stale<T> extends Error {
  readonly current: T

  constructor(current: T) {
    super('stale')
    this.current = current
  }
}

/** Sends a change or deletion of what the reader has seen, and nothing newer. Throws `Stale`. */
export async function askUnchanged<T extends { readonly version: number }>(
  path: string,
  seen: T,
  question: Question,
): Promise<Response> {
  try {
    return await ask(path, { ...question, headers: { 'if-match': `"${seen.version}"` } })
  } catch (error) {
    if (!(error instanceof ApiProblem && error.is('stale'))) throw error
    throw new Stale(await askFor<T>(path))
  }
}
