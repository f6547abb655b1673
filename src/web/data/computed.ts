import type { QueryClient } from '@tanstack/react-query'
import { readAnew } from './patch-read.ts'

/** The key of what the service computes of lessons and people. It cannot be put in place when one of them changes. */
export const COMPUTED = 'computed'

/** Reads again what is computed: something that it is computed of has changed. */
export function computeAnew(client: QueryClient): Promise<void> {
  return readAnew(client, { queryKey: [COMPUTED] })
}
