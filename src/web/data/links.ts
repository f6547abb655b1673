import { queryOptions } from '@tanstack/react-query'
import type { CalendarFeedState, FeedDetail, MadeLink, StudentLinkState } from '../../contract/link.ts'
import { conditionalGet } from './conditional-get.ts'
import { fetchApi, fetchJson } from './fetch-api.ts'

export const LINKS = 'links'

/** A link without its address. */
export type KnownLink = {
  readonly created_at: string
  readonly used_at: string | null
  readonly detail?: FeedDetail
}

export const feedPath = (instructorId: string) => `/instructors/${instructorId}/calendar-feed`

export const pagePath = (studentId: string) => `/students/${studentId}/link`

export function linkAt(path: string) {
  return queryOptions({
    queryKey: [LINKS, path],
    queryFn: async (context): Promise<KnownLink | null> => {
      const state = await conditionalGet<CalendarFeedState | StudentLinkState>(path, context)
      return 'feed' in state ? state.feed : state.link
    },
  })
}

/** Creates a link and ends the previous one. Throws `ApiProblem` or `Unreachable`. */
export async function makeLink(path: string, detail?: FeedDetail): Promise<MadeLink> {
  return fetchJson(path, { method: 'POST', ...(detail && { body: { detail } }) })
}

/** Throws `ApiProblem` or `Unreachable`. */
export async function endLink(path: string): Promise<void> {
  await fetchApi(path, { method: 'DELETE' })
}
