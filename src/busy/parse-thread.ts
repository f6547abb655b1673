import { parentPort } from 'node:worker_threads'
import type { Interval } from '../domain/interval.ts'
import { busyTimesIn, type CalendarText, type ParseFailure, UnreadableCalendar } from './busy-times.ts'

export type ParseOrder = Omit<CalendarText, 'text'> & { readonly bytes: Uint8Array }
export type ParseResult = { readonly times: readonly Interval[] } | { readonly failure: ParseFailure }

const port = parentPort
if (!port) throw new Error('busy/parse-thread.ts is the entry of a worker')
port.on('message', (order: ParseOrder) => port.postMessage(parsed(order)))

function parsed({ bytes, ...calendar }: ParseOrder): ParseResult {
  try {
    return { times: busyTimesIn({ text: new TextDecoder().decode(bytes), ...calendar }) }
  } catch (error) {
    return { failure: error instanceof UnreadableCalendar ? error.failure : 'not_a_calendar' }
  }
}
