import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type {
  NewScheduleRequest,
  ScheduleRequest,
  ScheduleRequestChange,
} from '../../contract/schedule-request.ts'
import { conditionalGet } from './conditional-get.ts'
import type { Copies } from './copies.ts'
import { followedQuery } from './followed-get.ts'
import { refetch } from './patch-read.ts'
import { changing, creating } from './write-queue.ts'

const PATH = '/schedule-requests'
/** The first part of the keys of queries of requests. */
export const REQUESTS = 'schedule-requests'

export const openRequests = followedQuery<readonly ScheduleRequest[]>(
  [REQUESTS, 'open'],
  `${PATH}?status=open`,
)

/** Queries the instructor's last 50 requests, newest first. */
export function requestsOf(instructorId: string) {
  const query = new URLSearchParams({ instructor_id: instructorId, limit: '50' })
  return queryOptions({
    queryKey: [REQUESTS, instructorId],
    queryFn: (context) => conditionalGet<readonly ScheduleRequest[]>(`${PATH}?${query}`, context),
  })
}

export function oneRequest(id: string) {
  return queryOptions({
    queryKey: [REQUESTS, 'one', id],
    queryFn: (context) => conditionalGet<ScheduleRequest>(`${PATH}/${id}`, context),
  })
}

function refetchRequests(client: QueryClient): Promise<void> {
  return refetch(client, { queryKey: [REQUESTS] })
}

const COPIES: Copies<ScheduleRequest> = {
  path: PATH,
  read: () => undefined,
  store: refetchRequests,
  drop: refetchRequests,
}

export const createScheduleRequest = creating<ScheduleRequest, NewScheduleRequest>(COPIES)
/** Sends a decision, without the instructor's new hours or days off: see `decideRequest`. */
export const sendDecision = changing<ScheduleRequest, ScheduleRequestChange>(COPIES)
