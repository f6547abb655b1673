/** The options for users who cannot follow changes: refetch every half minute and on focus. */
export const POLLING = {
  staleTime: 0,
  refetchInterval: 30_000,
  refetchOnWindowFocus: 'always',
  refetchOnReconnect: 'always',
} as const
