import type { QueryClient, QueryFilters, QueryKey } from '@tanstack/react-query'

/** Patches all cached data under a key. Repeats failed reads, and reads in progress, which may be older than the change. */
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

/** Refetches the queries in use now, and others on their next use. Cancels reads in progress, which may be outdated. */
export async function refetch(client: QueryClient, filters: QueryFilters): Promise<void> {
  await client.cancelQueries(filters)
  await client.invalidateQueries(filters)
}
