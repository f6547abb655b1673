import { queryOptions } from '@tanstack/react-query'
import type { CalendarFeedState, FeedDetail, MadeLink, StudentLinkState } from '../../contract/link.ts'
import { ask, askFor } from './ask.ts'
import { conditionalGet } from './conditional-get.ts'

/** The prefix of the query keys of links. */
export const LINKS = 'links'

/** A link as it is known: never what it leads to. */
export type KnownLink = {
  readonly created_at: string
  readonly used_at: string | null
  readonly detail?: FeedDetail
}

/** The calendar feed of an instructor. */
export const feedPath = (instructorId: string) => `/instructors/${instructorId}/calendar-feed`

/** The page of a student. */
export const pagePath = (studentId: string) => `/students/${studentId}/link`

/** The link that there is, or nothing. */
export function linkAt(path: string) {
  return queryOptions({
    queryKey: [LINKS, path],
    queryFn: async (context): Promise<KnownLink | null> => {
      const state = await conditionalGet<CalendarFeedState | StudentLinkState>(path, context)
      return 'feed' in state ? state.feed : state.link
    },
  })
}

/** Makes a link, and ends the one before; a feed shows so much. Throws `ApiProblem` or `Unreachable`. */
export async function makeLink(path: string, detail?: FeedDetail): Promise<MadeLink> {
  return askFor(path, { method: 'POST', ...(detail && { body: { detail } }) })
}

/** Ends the link. Throws `ApiProblem` or `Unreachable`. */
export async function endLink(path: string): Promise<void> {
  await ask(path, { method: 'DELETE' })
}
