import type { QueryFunctionContext } from '@tanstack/react-query'
import { ask } from './ask.ts'

type Answer = { readonly etag: string; readonly value: unknown; readonly length: number }

const MOST_ANSWERS = 200
/** The length of all remembered bodies together, in characters. */
const MOST_TEXT = 16_000_000

/** The responses by path, the least recently used first. Browsers may not store them: they would outlive the logout. */
let answers = new Map<string, Answer>()

/** The options of followed queries: changes are merged into them, so they are never refetched by themselves. */
export const FOLLOWED = { staleTime: Number.POSITIVE_INFINITY } as const

/**
 * Returns the body at a path. If it has not changed since it was last read, it is the same object as before, and no body is
 * transferred. `valueIn` adds what is read from the headers. Throws `ApiProblem` or `Unreachable`.
 */
export async function conditionalGet<T>(
  path: string,
  { signal }: Pick<QueryFunctionContext, 'signal'>,
  valueIn: (body: unknown, headers: Headers) => T = (body) => body as T,
): Promise<T> {
  // A logout replaces it: an answer that arrives afterwards is not remembered for the next user.
  const remembered = answers
  const known = remembered.get(path)
  const answer = await ask(path, { signal, headers: known ? { 'if-none-match': known.etag } : {} })
  remembered.delete(path)
  if (answer.status === 304 && known) {
    remembered.set(path, known)
    return known.value as T
  }
  const text = await answer.text()
  const value = valueIn(JSON.parse(text), answer.headers)
  const etag = answer.headers.get('etag')
  if (etag !== null) remembered.set(path, { etag, value, length: text.length })
  shorten(remembered)
  return value
}

/** Forgets all answers: the next user of this browser must not be answered with what the last one has read. */
export function forgetAnswers(): void {
  answers = new Map()
}

function shorten(remembered: Map<string, Answer>): void {
  let length = [...remembered.values()].reduce((sum, one) => sum + one.length, 0)
  for (const [path, oldest] of remembered) {
    if (remembered.size <= MOST_ANSWERS && length <= MOST_TEXT) return
    remembered.delete(path)
    length -= oldest.length
  }
}
