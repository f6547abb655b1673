import { queryOptions } from '@tanstack/react-query'
import type { Bootstrap } from '../../contract/bootstrap.ts'
import { conditionalGet, FOLLOWED } from './conditional-get.ts'
import { POLLING } from './polling.ts'

/** The logged-in user, the school, its people and its catalogue. */
export const bootstrap = queryOptions({
  queryKey: ['bootstrap'],
  queryFn: (context) => conditionalGet<Bootstrap>('/bootstrap', context),
  ...FOLLOWED,
  refetchInterval: ({ state: { data } }) => !isFollower(data) && POLLING.refetchInterval,
  refetchOnWindowFocus: ({ state: { data } }) => !isFollower(data) && POLLING.refetchOnWindowFocus,
})

/** Whether the user may follow changes in the school. Instructors may not, and refetch instead. */
export function isFollower(read: Bootstrap | undefined): boolean {
  return read !== undefined && read.user.role !== 'instructor'
}
