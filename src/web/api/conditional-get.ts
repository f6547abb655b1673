import type { QueryFunctionContext } from '@tanstack/react-query'
import { ask } from '../session/ask.ts'

type Answer = { readonly etag: string; readonly body: unknown }

const MOST_ANSWERS = 24
const answers = new Map<string, Answer>()

/** What is followed is not read again by itself: its changes are put into it. */
export const FOLLOWED = { staleTime: Number.POSITIVE_INFINITY } as const

/** What has been read before costs no bytes unless it has changed, and is the same object as before. */
export async function conditionalGet<T>(
  path: string,
  { signal }: Pick<QueryFunctionContext, 'signal'>,
): Promise<T> {
  const known = answers.get(path)
  const answer = await ask(path, { signal, headers: known ? { 'if-none-match': known.etag } : {} })
  if (answer.status === 304 && known) return known.body as T
  const body: T = await answer.json()
  remember(path, answer.headers.get('etag'), body)
  return body
}

/** The next person at this browser must not be answered from what the last one has read. */
export function forgetAnswers(): void {
  answers.clear()
}

function remember(path: string, etag: string | null, body: unknown): void {
  answers.delete(path)
  if (etag === null) return
  answers.set(path, { etag, body })
  const [oldest] = answers.keys()
  if (answers.size > MOST_ANSWERS && oldest !== undefined) answers.delete(oldest)
}
