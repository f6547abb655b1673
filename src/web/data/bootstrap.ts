import { queryOptions } from '@tanstack/react-query'
import type { Bootstrap } from '../../contract/bootstrap.ts'
import { conditionalGet, FOLLOWED } from './conditional-get.ts'
import { READ_ANEW } from './read-anew.ts'

/** The logged-in user, the school, its people and its catalogue. */
export const bootstrap = queryOptions({
  queryKey: ['bootstrap'],
  queryFn: (context) => conditionalGet<Bootstrap>('/bootstrap', context),
  ...FOLLOWED,
  refetchInterval: ({ state: { data } }) => !isFollower(data) && READ_ANEW.refetchInterval,
  refetchOnWindowFocus: ({ state: { data } }) => !isFollower(data) && READ_ANEW.refetchOnWindowFocus,
})

/** Whether who is logged in may follow what happens in the school; an instructor may not, and reads the own anew. */
export function isFollower(read: Bootstrap | undefined): boolean {
  return read !== undefined && read.user.role !== 'instructor'
}
