import type { QueryClient, QueryFilters, QueryKey } from '@tanstack/react-query'

/**
 * Puts a change into all that has been read under a key. A read that is under way may be older than the change, and one that
 * has failed is to be repeated still: both begin again.
 */
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

/** Reads anew what is shown, and the rest when it is shown again; a read under way may be too old, and is given up. */
export async function readAnew(client: QueryClient, filters: QueryFilters): Promise<void> {
  await client.cancelQueries(filters)
  await client.invalidateQueries(filters)
}
