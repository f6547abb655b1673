import ICAL from 'ical.js'
import { tzlib_get_ical_block, tzlib_get_timezones } from 'timezones-ical-library'
import { type Interval, joined, overlaps } from '../domain/interval.ts'
import {
  dayOf,
  daysLater,
  type LocalDate,
  type LocalDateTime,
  midnightOf,
  minuteOf,
} from '../domain/local-time.ts'
import { localNow } from '../domain/time-zone.ts'

/** The days ahead for which times are kept. */
export const BUSY_DAYS_AHEAD = 92

const MAX_OCCURRENCES = 500_000
const MAX_TIMES = 5_000

const SECONDS_PER_DAY = 86_400

export type CalendarText = {
  readonly text: string
  readonly timezone: string
  readonly today: LocalDate
  readonly email: string | null
}

export type ParseFailure = 'not_a_calendar' | 'incomplete' | 'too_complex'

export class UnreadableCalendar extends Error {
  readonly failure: ParseFailure

  constructor(failure: ParseFailure) {
    super(failure)
    this.failure = failure
  }
}

/**
 * Returns the sorted times in which the owner of a calendar is busy, by the school's wall clock, from today on. An entry that
 * has no readable time does not block. Throws `UnreadableCalendar`.
 */
export function busyTimesIn(calendar: CalendarText): readonly Interval[] {
  const found = new BusyTimes(calendar)
  for (const root of componentsIn(calendar.text)) found.add(root)
  const times = joined(found.times)
  if (times.length > MAX_TIMES) throw new UnreadableCalendar('too_complex')
  return times
}

function componentsIn(text: string): readonly ICAL.Component[] {
  if (!/^\uFEFF?\s*BEGIN:VCALENDAR\s/i.test(text)) throw new UnreadableCalendar('not_a_calendar')
  if (!/\nEND:VCALENDAR\s*$/i.test(text.slice(-200))) throw new UnreadableCalendar('incomplete')
  try {
    const parsed = ICAL.parse(text.replace(/^\uFEFF?\s*/, ''))
    const roots: readonly unknown[] = Array.isArray(parsed[0]) ? parsed : [parsed]
    return roots.map((root) => new ICAL.Component(root as never))
  } catch {
    throw new UnreadableCalendar('not_a_calendar')
  }
}

class BusyTimes {
  readonly #calendar: CalendarText
  readonly #window: Interval
  /** The window in UTC seconds, with two days to either side for the differences of zones. */
  readonly #seconds: Interval
  readonly #zones = new Map<string, boolean>()
  #occurrences = 0
  times: Interval[] = []

  constructor(calendar: CalendarText) {
    const { today } = calendar
    this.#calendar = calendar
    const window = {
      start: midnightOf(dayOf(today)),
      end: midnightOf(dayOf(daysLater(today, BUSY_DAYS_AHEAD))),
    }
    this.#window = window
    this.#seconds = {
      start: window.start * 60 - 2 * SECONDS_PER_DAY,
      end: window.end * 60 + 2 * SECONDS_PER_DAY,
    }
  }

  add(root: ICAL.Component): void {
    const events = root.getAllSubcomponents('vevent')
    for (const event of events) this.#addZones(root, event)
    const exceptions = Map.groupBy(events.filter(isException), uidOf)
    for (const event of events) {
      try {
        if (isException(event)) this.#addOne(event)
        else this.#addSeries(event, exceptions.get(uidOf(event)) ?? [])
      } catch (error) {
        if (error instanceof UnreadableCalendar) throw error
      }
    }
  }

  #addZones(root: ICAL.Component, event: ICAL.Component): void {
    for (const name of ['dtstart', 'dtend', 'rdate', 'recurrence-id'])
      for (const property of event.getAllProperties(name)) {
        const zone = property.getParameter('tzid')
        if (typeof zone !== 'string' || this.#zones.has(zone)) continue
        this.#zones.set(zone, true)
        const block = root.getTimeZoneByID(zone) ? undefined : definitionOf(zone)
        if (block) root.addSubcomponent(block)
      }
  }

  #addSeries(component: ICAL.Component, exceptions: readonly ICAL.Component[]): void {
    this.#addPeriods(component)
    countStart(component)
    const event = new ICAL.Event(component, { exceptions: exceptions.filter(isReadable) })
    if (!event.isRecurring()) {
      this.#addOne(component)
      return
    }
    const length = event.duration.toSeconds()
    const iterator = event.iterator()
    for (let next = iterator.next(); next; next = iterator.next()) {
      this.#occurrences += 1
      if (this.#occurrences > MAX_OCCURRENCES) throw new UnreadableCalendar('too_complex')
      const seconds = next.toUnixTime()
      if (seconds > this.#seconds.end) return
      if (event.rangeExceptions.length === 0 && seconds + length < this.#seconds.start) continue
      const { item, startDate, endDate } = event.getOccurrenceDetails(next)
      if (this.#blocks(item.component)) this.#addTime(startDate, endDate)
    }
  }

  /** Adds the dates of a series that have an end of their own, which the library does not expand. */
  #addPeriods(component: ICAL.Component): void {
    const periods = component.getAllProperties('rdate').filter(({ type }) => type === 'period')
    for (const property of periods) {
      component.removeProperty(property)
      for (const period of property.getValues() as unknown as readonly ICAL.Period[])
        if (this.#blocks(component)) this.#addTime(period.start, period.getEnd())
    }
  }

  #addOne(component: ICAL.Component): void {
    const { startDate, endDate } = new ICAL.Event(component, { exceptions: [] })
    if (startDate && endDate && this.#blocks(component)) this.#addTime(startDate, endDate)
  }

  #blocks(event: ICAL.Component): boolean {
    const textOf = (name: string) => String(event.getFirstPropertyValue(name) ?? '').toUpperCase()
    return textOf('transp') !== 'TRANSPARENT' && textOf('status') !== 'CANCELLED' && !this.#isDeclined(event)
  }

  #isDeclined(event: ICAL.Component): boolean {
    const email = this.#calendar.email?.toLowerCase()
    if (!email) return false
    return event.getAllProperties('attendee').some((attendee) => {
      const address = String(attendee.getFirstValue())
        .replace(/^mailto:/i, '')
        .toLowerCase()
      return address === email && String(attendee.getParameter('partstat')).toUpperCase() === 'DECLINED'
    })
  }

  #addTime(start: ICAL.Time, end: ICAL.Time): void {
    const interval = this.#intervalOf(start, end)
    if (interval.start >= interval.end || !overlaps(interval, this.#window)) return
    this.times.push({
      start: Math.max(interval.start, this.#window.start),
      end: Math.min(interval.end, this.#window.end),
    })
    if (this.times.length < 10 * MAX_TIMES) return
    this.times = [...joined(this.times)]
    if (this.times.length > MAX_TIMES) throw new UnreadableCalendar('too_complex')
  }

  #intervalOf(start: ICAL.Time, end: ICAL.Time): Interval {
    const first = this.#minuteOf(start)
    const last = this.#minuteOf(end) + (end.second > 0 ? 1 : 0)
    const length = Math.ceil((end.toUnixTime() - start.toUnixTime()) / 60)
    // The hour that the clocks repeat.
    if (last <= first && length > 0 && !start.isDate)
      return { start: Math.min(first, last), end: first + length }
    if (start.isDate && last === first) return { start: first, end: first + SECONDS_PER_DAY / 60 }
    return { start: first, end: last }
  }

  #minuteOf(time: ICAL.Time): number {
    const isFloating = time.isDate || time.zone === ICAL.Timezone.localTimezone || !time.zone
    if (isFloating) return minuteOf(localText(time))
    return minuteOf(localNow(new Date(time.toUnixTime() * 1000), this.#calendar.timezone))
  }
}

/** Adds the start to the dates of a series without a rule: it belongs to them (RFC 5545, 3.8.5.2), but the library skips it. */
function countStart(event: ICAL.Component): void {
  const start = event.getFirstProperty('dtstart')
  if (!start || !event.hasProperty('rdate') || event.hasProperty('rrule')) return
  const date = ICAL.Property.fromString(start.toICALString().replace(/^DTSTART/i, 'RDATE'))
  event.addProperty(date)
}

function isException(event: ICAL.Component): boolean {
  return event.hasProperty('recurrence-id')
}

function isReadable(event: ICAL.Component): boolean {
  try {
    const { recurrenceId, startDate, endDate } = new ICAL.Event(event, { exceptions: [] })
    return Boolean(recurrenceId.toString() && startDate && endDate)
  } catch {
    return false
  }
}

function uidOf(event: ICAL.Component): string {
  return String(event.getFirstPropertyValue('uid'))
}

const knownZones: ReadonlySet<string> = new Set(tzlib_get_timezones())

function definitionOf(zone: string): ICAL.Component | undefined {
  const [block] = knownZones.has(zone) ? [tzlib_get_ical_block(zone)].flat() : []
  return block === undefined ? undefined : ICAL.Component.fromString(block)
}

function localText(time: ICAL.Time): LocalDateTime {
  const two = (number: number) => String(number).padStart(2, '0')
  const date = `${String(time.year).padStart(4, '0')}-${two(time.month)}-${two(time.day)}`
  return time.isDate ? `${date} 00:00` : `${date} ${two(time.hour)}:${two(time.minute)}`
}
