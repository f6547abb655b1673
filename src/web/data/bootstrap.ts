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

/** The `localStorage` key set if this browser's last user could follow changes. */
const FOLLOWS = 'fahrplan.follows'

/** Records for the next start whether the user may follow changes. */
export function recordFollower(read: Bootstrap): void {
  if (isFollower(read)) localStorage.setItem(FOLLOWS, '1')
  else localStorage.removeItem(FOLLOWS)
}

/** Whether the user may probably follow changes, before bootstrap is read. */
export function isProbablyFollower(): boolean {
  return localStorage.getItem(FOLLOWS) !== null
}
