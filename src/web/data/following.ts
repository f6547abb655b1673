import { type Query, type QueryClient, type QueryFilters, queryOptions } from '@tanstack/react-query'
import type { Change, ChangesSince } from '../../contract/change.ts'
import { APPOINTMENTS } from './appointments.ts'
import { COMPUTED } from './computed.ts'
import type { Copies, Versioned } from './copies.ts'
import { fetchJson } from './fetch-api.ts'
import { isNews, refetchInbox } from './inbox.ts'
import { refetch } from './patch-read.ts'
import { copiesOf } from './people.ts'
import { position } from './position.ts'
import { REQUESTS } from './requests.ts'
import { ApiProblem } from './send.ts'

/** Milliseconds between polls: another user's change shows within five seconds. */
const EVERY_MS = 4000

/** Up to this many changed resources are read one by one; beyond, everything shown is refetched. */
const FEW = 20

/** The first parts of the keys of data that any change outdates: the log, free times, and who could have them. */
const BY_ANY_CHANGE = ['changes', 'slots', 'gaps', 'plans']

/** The first parts of the keys of further data that the change of a resource outdates. */
const OUTDATED: Readonly<Partial<Record<Change['resource'], readonly string[]>>> = {
  calendar_feed: ['links'],
  student_link: ['links'],
  // The changed user may be the logged-in one.
  user: ['bootstrap', 'users'],
  enrolment: [COMPUTED],
  tick: [COMPUTED],
  signature: [COMPUTED],
  wish: [COMPUTED],
  availability: [COMPUTED],
  closure: ['closures', COMPUTED],
  location: ['locations', COMPUTED],
  vehicle: ['vehicles', COMPUTED],
  busy_calendar: ['busy_calendars', COMPUTED],
  webhook: ['webhooks'],
  enquiry: ['enquiries'],
  schedule_request: [REQUESTS],
  tenant: ['bootstrap', COMPUTED],
  lesson_type: ['bootstrap', COMPUTED],
}

/** Follows changes in the school: the only regular poll. */
export const following = queryOptions({
  queryKey: ['following'],
  queryFn: async ({ client, signal }) => {
    await follow(client, signal)
    return null
  },
  // With data, a failed poll shows the `OfflineBar`.
  initialData: null,
  refetchInterval: EVERY_MS,
  refetchOnReconnect: true,
})

/** Polls at once, for a request that may affect other resources. */
export function followNow(client: QueryClient): Promise<void> {
  return client.refetchQueries({ queryKey: following.queryKey })
}

/** Polls for changes. After a failure the next poll starts at the same position. */
async function follow(client: QueryClient, signal: AbortSignal): Promise<void> {
  const cursor = await client.ensureQueryData(position)
  const news = await newsSince(cursor, signal)
  if (!news) {
    await client.fetchQuery({ ...position, staleTime: 0 })
    await refetch(client, { predicate: isFollowed })
    return
  }
  if (news.latest.size > FEW) await refetch(client, { predicate: isFollowed })
  else await Promise.all([...news.latest.values()].map((change) => take(client, change, signal)))
  signal.throwIfAborted()
  client.setQueryData(position.queryKey, news.cursor)
  if (news.latest.size > 0) {
    void refetch(client, keyIn(...BY_ANY_CHANGE))
    if (news.hasNews) void refetchInbox(client)
  }
  void client.refetchQueries({ type: 'active', predicate: isUnread }, { cancelRefetch: false })
}

type News = {
  readonly latest: ReadonlyMap<string, Change>
  /** Whether the inbox may have changed. */
  readonly hasNews: boolean
  readonly cursor: string
}

/** Returns the last change of each changed resource; undefined if the service rejects the cursor. */
async function newsSince(cursor: string, signal: AbortSignal): Promise<News | undefined> {
  const latest = new Map<string, Change>()
  let hasNews = false
  let next = cursor
  try {
    for (let isMore = true; isMore; ) {
      const answer: ChangesSince = await fetchJson(`/changes/since?cursor=${encodeURIComponent(next)}`, {
        signal,
      })
      for (const change of answer.changes) {
        latest.set(change.resource_id, change)
        hasNews ||= isNews(change)
      }
      next = answer.cursor
      // A long response may be the first of several.
      isMore = answer.changes.length > FEW
    }
  } catch (error) {
    if (error instanceof ApiProblem && error.is('invalid_request')) return undefined
    throw error
  }
  return { latest, hasNews, cursor: next }
}

function take(client: QueryClient, change: Change, signal: AbortSignal): Promise<void> {
  switch (change.resource) {
    case 'appointment':
      return takeInto(client, APPOINTMENTS, change, signal)
    case 'student':
      return takeInto(client, copiesOf('students'), change, signal)
    case 'instructor':
      return takeInto(client, copiesOf('instructors'), change, signal)
    default:
      return refetch(client, keyIn(...(OUTDATED[change.resource] ?? [])))
  }
}

/** Returns a filter of the queries whose keys begin with one of the names. */
function keyIn(...names: readonly string[]): QueryFilters {
  return { predicate: ({ queryKey: [name] }) => names.includes(String(name)) }
}

/** Reads a changed resource unless the cached copy is current, usually because this tab made the change. */
async function takeInto<T extends Versioned>(
  client: QueryClient,
  copies: Copies<T>,
  { resource_id: id, action, before, after }: Change,
  signal: AbortSignal,
): Promise<void> {
  const copy = copies.read(client, id)
  if (action === 'deleted' || action === 'erased') {
    const isBack = copy !== undefined && copy.version > Number(before?.version)
    if (!isBack) await copies.drop(client, id)
    return
  }
  const isKnown = copy !== undefined && copy.version >= Number(after?.version)
  if (isKnown) await copies.store(client, copy)
  else await readAgain(client, copies, id, signal)
}

/** Reads a row again, and drops it if it no longer exists. Throws `ApiProblem` or `Unreachable`. */
export async function readAgain<T extends Versioned>(
  client: QueryClient,
  { path, read, store, drop }: Copies<T>,
  id: string,
  signal?: AbortSignal,
): Promise<void> {
  const row = await rowAt<T>(`${path}/${id}`, signal)
  signal?.throwIfAborted()
  if (!row) return drop(client, id)
  // A response to this tab may have arrived meanwhile.
  const newest = read(client, id)
  await store(client, newest && newest.version > row.version ? newest : row)
}

async function rowAt<T>(path: string, signal: AbortSignal | undefined): Promise<T | undefined> {
  try {
    return await fetchJson<T>(path, signal && { signal })
  } catch (error) {
    if (error instanceof ApiProblem && error.is('not_found')) return undefined
    throw error
  }
}

function isFollowed({ queryKey: [name] }: Query): boolean {
  return name !== 'following' && name !== 'position'
}

/** Whether an idle query is invalidated, or failed with an error that a retry may fix. */
function isUnread(query: Query): boolean {
  const { error, isInvalidated, fetchStatus } = query.state
  const isFinal = error instanceof ApiProblem && error.isFinal
  return isFollowed(query) && fetchStatus === 'idle' && !isFinal && (isInvalidated || error !== null)
}
