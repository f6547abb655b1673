import { isTimeOfDay, type TimeOfDay } from '../../../domain/local-time.ts'

const WRITTEN = /^(\d{1,2})(?:[:.,h ](\d{1,2})?)?(?: ?(?:uhr|h))?$/i
const COMPACT = /^(\d{1,2})(\d{2})$/
/** The pattern of a text that no further character could extend. */
const COMPLETE = /^(?:\d{1,2}[:.,]\d{2}|\d{4}|[3-9]\d{2}|2[4-9]\d)$/

/** Parses 9, 930, 9.30, 9:30 or 09:30; a single digit of minutes means tens. Returns null rather than a guess. */
export function typedTime(text: string): TimeOfDay | null {
  const [, hour, minute = '00'] = WRITTEN.exec(text.trim()) ?? COMPACT.exec(text.trim()) ?? []
  if (hour === undefined) return null
  const time = `${hour.padStart(2, '0')}:${minute.padEnd(2, '0')}`
  return isTimeOfDay(time) ? time : null
}

/** Parses a time while it is typed. Returns null if more characters could make it another time. */
export function completeTime(text: string): TimeOfDay | null {
  return COMPLETE.test(text.trim()) ? typedTime(text) : null
}
