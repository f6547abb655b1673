import { queryOptions } from '@tanstack/react-query'
import type { ChangesSince } from '../../contract/change.ts'
import { askFor } from '../session/ask.ts'

/** How far this tab has followed the school's changes. It is asked for before anything else, so that no change falls between. */
export const position = queryOptions({
  queryKey: ['position'],
  queryFn: async ({ signal }) => (await askFor<ChangesSince>('/changes/since', { signal })).cursor,
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
})
