import { parentPort } from 'node:worker_threads'
import { multirangeOf } from '../db/multirange.ts'
import { busyTimesIn, type CalendarText, type ParseFailure, UnreadableCalendar } from './busy-times.ts'

export type ParseOrder = Omit<CalendarText, 'text'> & { readonly bytes: Uint8Array }
/** The busy times as the text that is stored: thousands of values would take the event loop too long. */
export type ParseResult = { readonly times: string } | { readonly failure: ParseFailure }

const port = parentPort
if (!port) throw new Error('busy/parse-thread.ts is the entry of a worker')
port.on('message', (order: ParseOrder) => port.postMessage(parsed(order)))

function parsed({ bytes, ...calendar }: ParseOrder): ParseResult {
  try {
    return { times: multirangeOf(busyTimesIn({ text: new TextDecoder().decode(bytes), ...calendar })) }
  } catch (error) {
    return { failure: error instanceof UnreadableCalendar ? error.failure : 'not_a_calendar' }
  }
}
