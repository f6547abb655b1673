/** What another clerk changes shows within five seconds, while the page is looked at. */
export const POLL = { refetchInterval: 4000, staleTime: 3000 } as const
