import type { QueryClient } from '@tanstack/react-query'
import { refetch } from './patch-read.ts'

/** The key of data that the service computes, which cannot be patched after a change. */
export const COMPUTED = 'computed'

/** Refetches computed data after a change of its sources. */
export function refetchComputed(client: QueryClient): Promise<void> {
  return refetch(client, { queryKey: [COMPUTED] })
}
