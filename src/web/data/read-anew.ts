/** For those who cannot follow what happens in the school: what is shown is read every half minute, and when they look again. */
export const READ_ANEW = {
  staleTime: 0,
  refetchInterval: 30_000,
  refetchOnWindowFocus: 'always',
  refetchOnReconnect: 'always',
} as const
