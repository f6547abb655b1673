import { queryOptions } from '@tanstack/react-query'
import type { ChangesSince } from '../../contract/change.ts'
import { askFor } from './ask.ts'
import { bootstrap } from './bootstrap.ts'

/**
 * The position of this tab in the school's changes. It is fetched before anything else but bootstrap, which says whether the user
 * may follow them and is fetched once more, so that no change falls between.
 */
export const position = queryOptions({
  queryKey: ['position'],
  queryFn: async ({ client, signal }) => {
    const { cursor } = await askFor<ChangesSince>('/changes/since', { signal })
    void client.invalidateQueries({ queryKey: bootstrap.queryKey })
    return cursor
  },
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
})
