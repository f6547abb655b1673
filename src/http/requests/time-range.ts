import { Type } from 'typebox'
import type { Fault } from '../../contract/problem.ts'
import { daysLater, type LocalDateTime } from '../../domain/local-time.ts'

/** The start or end of a half-open range: a time or a day. */
export const RangeEnd = Type.String({ format: 'range-end', examples: ['2026-05-04', '2026-05-04 08:00'] })

export function startOf(text: string): LocalDateTime {
  return text.length === 10 ? `${text} 00:00` : text
}

/** Returns the end of a range. A day is included up to the next midnight. */
export function endOf(text: string): LocalDateTime {
  return text.length === 10 ? `${daysLater(text, 1)} 00:00` : text
}

/** Returns a fault if a range ends before it begins. A day is not before a time on it. */
export function orderFault(from: string, to: string): Fault | undefined {
  if (from.slice(0, to.length) <= to.slice(0, from.length)) return undefined
  return { pointer: '?to', code: 'wrong_order', detail: `to must not be before from, ${from}.` }
}
