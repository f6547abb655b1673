import { Type } from 'typebox'
import type { Fault } from '../../contract/problem.ts'
import { daysLater, type LocalDateTime } from '../../domain/local-time.ts'

/** A parameter that begins or ends a half-open range: a time or a day. */
export const RangeEnd = Type.String({ format: 'range-end', examples: ['2026-05-04', '2026-05-04 08:00'] })

/** Returns the beginning of a range that is given by a day or a time. */
export function startOf(text: string): LocalDateTime {
  return text.length === 10 ? `${text} 00:00` : text
}

/** Returns the end of such a range: a day is included, to the next midnight. */
export function endOf(text: string): LocalDateTime {
  return text.length === 10 ? `${daysLater(text, 1)} 00:00` : text
}

/** The fault of a range that ends before it begins, as far as both are known: a day is not before a time in it. */
export function orderFault(from: string, to: string): Fault | undefined {
  if (from.slice(0, to.length) <= to.slice(0, from.length)) return undefined
  return { pointer: '?to', code: 'wrong_order', detail: `to must not be before from, ${from}.` }
}
