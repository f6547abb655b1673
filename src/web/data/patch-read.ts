import type { QueryClient, QueryFilters, QueryKey } from '@tanstack/react-query'

/** Patches all cached data under a key. Restarts reads in progress, which may be older than the change, and failed ones. */
export async function patchRead<T>(
  client: QueryClient,
  queryKey: QueryKey,
  patched: (read: T, key: QueryKey) => T,
): Promise<void> {
  const queries = client.getQueryCache().findAll({ queryKey })
  const unsound = queries.filter(
    ({ state }) => state.fetchStatus !== 'idle' || state.isInvalidated || state.error !== null,
  )
  await client.cancelQueries({ queryKey })
  for (const { queryKey: key } of queries) {
    client.setQueryData<T>(key, (read) => read && patched(read, key))
  }
  for (const { queryKey: key } of unsound) void client.invalidateQueries({ queryKey: key, exact: true })
}

/** Refetches what is shown now, and the rest when shown again. Cancels reads in progress, which may be too old. */
export async function refetch(client: QueryClient, filters: QueryFilters): Promise<void> {
  await client.cancelQueries(filters)
  await client.invalidateQueries(filters)
}
