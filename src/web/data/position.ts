import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { ChangesSince } from '../../contract/change.ts'
import { bootstrap } from './bootstrap.ts'
import { fetchJson } from './fetch-api.ts'

/**
 * This tab's position in the school's changes. Read before all data that are followed, except bootstrap, which shows whether the
 * user may follow changes. Bootstrap is refetched afterwards, so that no change is missed.
 */
export const position = queryOptions({
  queryKey: ['position'],
  queryFn: async ({ client, signal }) => {
    const { cursor } = await fetchJson<ChangesSince>('/changes/since', { signal })
    void refetchBootstrap(client)
    return cursor
  },
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
})

/** Refetches bootstrap once a first read that has begun before the position is over. */
async function refetchBootstrap(client: QueryClient): Promise<void> {
  await client.ensureQueryData(bootstrap).catch(() => undefined)
  await client.invalidateQueries({ queryKey: bootstrap.queryKey })
}
