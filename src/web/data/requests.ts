import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type {
  NewScheduleRequest,
  ScheduleRequest,
  ScheduleRequestChange,
} from '../../contract/schedule-request.ts'
import { conditionalGet, FOLLOWED } from './conditional-get.ts'
import type { Copies } from './copies.ts'
import { readAnew } from './patch-read.ts'
import { changing, creating } from './write-queue.ts'

const PATH = '/schedule-requests'
const KEY = 'schedule-requests'

export const openRequests = queryOptions({
  queryKey: [KEY, 'open'],
  queryFn: (context) => conditionalGet<readonly ScheduleRequest[]>(`${PATH}?status=open`, context),
  ...FOLLOWED,
})

/** The instructor's last 50 requests, newest first. */
export function requestsOf(instructorId: string) {
  const query = new URLSearchParams({ instructor_id: instructorId, limit: '50' })
  return queryOptions({
    queryKey: [KEY, instructorId],
    queryFn: (context) => conditionalGet<readonly ScheduleRequest[]>(`${PATH}?${query}`, context),
  })
}

export function readRequestsAnew(client: QueryClient): Promise<void> {
  return readAnew(client, { queryKey: [KEY] })
}

const REQUESTS: Copies<ScheduleRequest> = {
  path: PATH,
  read: () => undefined,
  store: readRequestsAnew,
  drop: readRequestsAnew,
}

export const askOffice = creating<ScheduleRequest, NewScheduleRequest>(REQUESTS)
export const decideRequest = changing<ScheduleRequest, ScheduleRequestChange>(REQUESTS)
