import type { QueryClient } from '@tanstack/react-query'
import type { Closure, NewClosure } from '../../contract/closure.ts'
import { dayOf } from '../../domain/local-time.ts'
import { MAX_DAYS_OF_ABSENCE } from '../../domain/ranges.ts'
import { COMPUTED } from './computed.ts'
import { fetchApi, fetchJson } from './fetch-api.ts'
import { followedQuery } from './followed-get.ts'
import { refetch } from './patch-read.ts'
import { postOnce, type WriteContext } from './write-queue.ts'

const PATH = '/closures'
const KEY = 'closures'

export const closuresOfSchool = followedQuery<readonly Closure[]>([KEY], PATH)

/** Throws `ApiProblem` or `Unreachable`. */
export async function closeSchool(closure: NewClosure, { client }: WriteContext): Promise<void> {
  await postOnce(PATH, closure)
  await refetchClosures(client)
}

/** Deletes a closure unless it has changed. Throws `ApiProblem` or `Unreachable`. */
export async function deleteClosure({ id, version }: Closure, { client }: WriteContext): Promise<void> {
  await fetchApi(`${PATH}/${id}`, { method: 'DELETE', headers: { 'if-match': `"${version}"` } })
  await refetchClosures(client)
}

function refetchClosures(client: QueryClient): Promise<void> {
  return refetch(client, { queryKey: [KEY] })
}

/** Whether planned lessons are on the days of a closure that can be planned for. Throws `ApiProblem` or `Unreachable`. */
export async function hasLessonsOn(
  { start_date, end_date }: NewClosure,
  { client }: WriteContext,
): Promise<boolean> {
  if (dayOf(end_date) - dayOf(start_date) > MAX_DAYS_OF_ABSENCE) return false
  const query = new URLSearchParams({ from: start_date, to: end_date, status: 'planned', limit: '1' })
  const lessons = await client.fetchQuery({
    queryKey: [COMPUTED, 'lessons-on', start_date, end_date],
    queryFn: () => fetchJson<readonly unknown[]>(`/appointments?${query}`),
    staleTime: 0,
  })
  return lessons.length > 0
}
