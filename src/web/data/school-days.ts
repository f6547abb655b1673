import type { BusyTimes } from '../../contract/busy-calendar.ts'
import type { ClosedDays, HolidayCalendar } from '../../domain/agenda.ts'
import type { LocalDate } from '../../domain/local-time.ts'

/** A day with a public holiday or a closure. Bookings are rejected if it is closed; otherwise they get a warning. */
export type SpecialDay = { readonly name: string | null; readonly isClosed: boolean }

/** The public holidays, unless the school ignores them, and the closures. A year that is not loaded yet has no holidays. */
export type SchoolDays = {
  readonly closed: ClosedDays
  /** The holidays that only warn. */
  readonly warnedOn: HolidayCalendar | undefined
  readonly on: (date: LocalDate) => SpecialDay | undefined
  /** The busy times of the instructors with private calendars; none if the school ignores them. */
  readonly busy: ReadonlyMap<string, BusyTimes>
  /** All public holidays, even if the school ignores them. */
  readonly holidayOn: HolidayCalendar
}
