import { queryOptions } from '@tanstack/react-query'
import type { Message } from '../../contract/message.ts'
import { conditionalGet } from './conditional-get.ts'

export type MessagesQuery = { readonly appointment_id: string } | { readonly student_id: string }

/** Milliseconds between reads while messages are shown: sending one adds no change to the log. */
const EVERY_MS = 10_000

/** Queries the newest messages about a lesson or to a student. */
export function messagesWhere(wanted: MessagesQuery) {
  const query = new URLSearchParams({ ...wanted, limit: '50' })
  return queryOptions({
    queryKey: ['messages', wanted],
    queryFn: (context) => conditionalGet<readonly Message[]>(`/messages?${query}`, context),
    refetchInterval: EVERY_MS,
  })
}
