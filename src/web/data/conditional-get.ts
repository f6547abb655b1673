import { type QueryFunctionContext, queryOptions } from '@tanstack/react-query'
import { fetchApi } from './fetch-api.ts'

type Answer = { readonly etag: string; readonly value: unknown; readonly length: number }

const MAX_CACHED_RESPONSES = 200
/** The maximum total length of cached bodies, in characters. */
const MAX_TEXT = 16_000_000

/** Responses by path, least recently used first. Browsers must not store them, or they would outlive the logout. */
let answers = new Map<string, Answer>()

/** The options of queries that never become stale by age, because changes are merged into them or there are none. */
export const FOLLOWED = { staleTime: Number.POSITIVE_INFINITY } as const

/** Returns the query of a path's body that is the same for as long as a page is open. */
export function constantQuery<T>(queryKey: readonly unknown[], path: string) {
  const queryFn = (context: QueryFunctionContext) => conditionalGet<T>(path, context)
  return queryOptions({ queryKey, queryFn, ...FOLLOWED })
}

/** Returns a path's body, the same object if unchanged. `valueIn` can add data of the headers. Throws `ApiProblem` or `Unreachable`. */
export async function conditionalGet<T>(
  path: string,
  { signal }: Pick<QueryFunctionContext, 'signal'>,
  valueIn: (body: unknown, headers: Headers) => T = (body) => body as T,
): Promise<T> {
  // A logout replaces the map, so that a late response is not stored for the next user.
  const remembered = answers
  const known = remembered.get(path)
  const answer = await fetchApi(path, { signal, headers: known ? { 'if-none-match': known.etag } : {} })
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

/** Forgets all responses at logout. */
export function clearResponseCache(): void {
  answers = new Map()
}

function shorten(remembered: Map<string, Answer>): void {
  let length = [...remembered.values()].reduce((sum, one) => sum + one.length, 0)
  for (const [path, oldest] of remembered) {
    if (remembered.size <= MAX_CACHED_RESPONSES && length <= MAX_TEXT) return
    remembered.delete(path)
    length -= oldest.length
  }
}
