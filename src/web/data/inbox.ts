import { infiniteQueryOptions, type QueryClient } from '@tanstack/react-query'
import type { Change } from '../../contract/change.ts'
import type { Inbox } from '../../contract/inbox.ts'
import { conditionalGet, FOLLOWED } from './conditional-get.ts'
import { cursorIn } from './cursor.ts'
import { fetchApi, fetchJson } from './fetch-api.ts'
import { followedQuery } from './followed-get.ts'
import { refetch } from './patch-read.ts'
import type { WriteContext } from './write-queue.ts'

/** The first part of the keys of queries of the inbox. */
export const INBOX = 'inbox'
const PAGE_SIZE = '50'

/** Milliseconds between reads: an undelivered message adds no change to the log, and instructors follow none. */
const EVERY_MS = 60_000

/** Queries the number of new entries, for a badge. */
export const inboxCount = {
  ...followedQuery<Inbox>([INBOX, 'count'], '/inbox?limit=1'),
  refetchInterval: EVERY_MS,
}

/** Queries the entries, newest first, in pages. */
export const inboxPages = infiniteQueryOptions({
  queryKey: [INBOX, 'pages'],
  queryFn: async ({ pageParam, signal }) => {
    const query = new URLSearchParams({ limit: PAGE_SIZE })
    if (pageParam !== '') query.set('cursor', pageParam)
    return conditionalGet(`/inbox?${query}`, { signal }, (inbox, headers) => ({
      inbox: inbox as Inbox,
      next: cursorIn(headers),
    }))
  },
  initialPageParam: '',
  getNextPageParam: ({ next }) => next,
  refetchInterval: EVERY_MS,
  ...FOLLOWED,
  refetchOnMount: 'always',
})

/** Whether a followed change may be news. */
export function isNews({ actor, resource }: Change): boolean {
  return actor.kind === 'student' || resource === 'schedule_request' || resource === 'enquiry'
}

export function refetchInbox(client: QueryClient): Promise<void> {
  return refetch(client, { queryKey: [INBOX] })
}

/** Marks the news as seen up to a time. Throws `ApiProblem` or `Unreachable`. */
export async function markSeen(until: string, { client }: WriteContext): Promise<void> {
  const seen = await fetchJson<Omit<Inbox, 'entries'>>('/inbox/seen', { method: 'POST', body: { until } })
  client.setQueryData(inboxCount.queryKey, (inbox) => inbox && { ...inbox, ...seen })
  client.setQueryData(
    inboxPages.queryKey,
    (data) => data && { ...data, pages: data.pages.map(withSeen(seen)) },
  )
}

/** Sends a message once more. Throws `ApiProblem` or `Unreachable`. */
export async function resendMessage(id: string, { client }: WriteContext): Promise<void> {
  await fetchApi(`/messages/${id}/resend`, { method: 'POST' })
  await refetchInbox(client)
}

/** Marks a message as told by telephone. Throws `ApiProblem` or `Unreachable`. */
export async function tellMessage(id: string, { client }: WriteContext): Promise<void> {
  await fetchApi(`/messages/${id}/told`, { method: 'POST' })
  await refetchInbox(client)
}

function withSeen(seen: Omit<Inbox, 'entries'>) {
  return <Page extends { readonly inbox: Inbox }>(page: Page): Page => ({
    ...page,
    inbox: { ...page.inbox, ...seen },
  })
}
