import { type InfiniteData, infiniteQueryOptions, type QueryClient } from '@tanstack/react-query'
import type { Change, Resource } from '../../contract/change.ts'
import type { SetUndo } from '../../contract/undo.ts'
import type { LocalDate } from '../../domain/local-time.ts'
import { conditionalGet, FOLLOWED } from './conditional-get.ts'
import type { Versioned } from './copies.ts'
import { cursorIn } from './cursor.ts'
import { fetchJson } from './fetch-api.ts'
import { followNow } from './following.ts'
import type { Kind } from './people.ts'
import { bodyOf } from './send.ts'
import { postOnce, type WriteContext } from './write-queue.ts'

const PAGE_SIZE = '25'

/** The filter of changes; both days are inclusive. */
export type ChangesQuery = {
  readonly resource?: Resource
  readonly resource_id?: string
  readonly actor_id?: string
  readonly from?: LocalDate
  readonly to?: LocalDate
}

export type ChangePages = ReturnType<typeof changesWhere>

/** Queries the school's changes, newest first, in pages. */
export function changesWhere(filter: ChangesQuery) {
  return changesAt('/changes', filter)
}

/** Queries the changes of one resource, even a deleted one, newest first, in pages. */
export function historyOf(
  resource: 'appointment' | 'student' | 'enrolment' | 'instructor' | 'vehicle',
  id: string,
) {
  return changesAt(`/${resource}s/${id}/history`, {})
}

/** Returns the names of known actors by id. */
export function readActors(client: QueryClient): ReadonlyMap<string, string> {
  const lists = client.getQueriesData<InfiniteData<{ changes: readonly Change[] }>>({ queryKey: ['changes'] })
  const actors = lists.flatMap(([, list]) =>
    (list?.pages ?? []).flatMap(({ changes }) => changes.map(({ actor }) => actor)),
  )
  return new Map(actors.flatMap(({ id, name }) => (id === null ? [] : [[id, name]])))
}

/** Queries pages of changes. Any followed change makes them stale. */
function changesAt(path: string, filter: ChangesQuery) {
  return infiniteQueryOptions({
    queryKey: ['changes', path, filter],
    queryFn: async ({ pageParam, signal }) => {
      const query = new URLSearchParams({ ...filter, limit: PAGE_SIZE })
      if (pageParam !== '') query.set('cursor', pageParam)
      return conditionalGet(`${path}?${query}`, { signal }, (changes, headers) => ({
        changes: changes as readonly Change[],
        next: cursorIn(headers),
      }))
    },
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    ...FOLLOWED,
  })
}

/**
 * Returns the newest set of a user for each row that has changed between two versions, each set once: the response with its id
 * may be lost. Throws `ApiProblem` or `Unreachable`.
 */
export async function setsBetween(
  kind: 'appointments' | Kind,
  before: readonly Versioned[],
  after: readonly Versioned[],
  userId: string,
): Promise<readonly string[]> {
  const sets = new Set<string>()
  for (const { id, version } of after) {
    const { version: since = 0 } = before.find((one) => one.id === id) ?? {}
    if (version === since) continue
    const history = await fetchJson<readonly Change[]>(`/${kind}/${id}/history?limit=500`)
    const isBetween = (at: number) => since < at && at <= version
    const own = history.find(({ actor, after }) => actor.id === userId && isBetween(Number(after?.version)))
    if (own) sets.add(own.set_id)
  }
  return [...sets]
}

const pathOf = (setId: string) => `/changes/sets/${setId}/undo`

/** Returns the result of undoing the set, without undoing it. Throws `ApiProblem` or `Unreachable`. */
export function tryUndo(setId: string): Promise<SetUndo> {
  return fetchJson<SetUndo>(`${pathOf(setId)}?dry_run=true`, { method: 'POST' })
}

/** Undoes a set of changes. A retry after a lost response does not undo it again. Throws `ApiProblem` or `Unreachable`. */
export async function undoSet(setId: string, { client }: WriteContext): Promise<SetUndo> {
  const answer = await postOnce(pathOf(setId), undefined)
  const undone: SetUndo = await bodyOf(answer)
  void followNow(client)
  return undone
}
