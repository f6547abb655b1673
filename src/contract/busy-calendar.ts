import { type Static, Type } from 'typebox'
import { BUSY_FAILURES } from '../domain/busy-policy.ts'
import * as example from './examples-of-busy-calendars.ts'
import * as field from './fields.ts'
import { httpsFaultsFor } from './https-address.ts'
import { URL_LENGTH } from './webhook.ts'

/** The maximum busy calendars of an instructor. */
export const MAX_BUSY_CALENDARS = 5

const name = field.described(field.Title, 'The name, such as "Private".')

export const BusyCalendarSchema = field.closed(
  {
    id: field.described(field.Id, 'The id of the calendar.'),
    name,
    url: Type.String({
      description: 'The host of the address. The address itself is a secret and is never shown again.',
    }),
    state: Type.Enum(['waiting', 'ok', 'failing'], {
      description: 'Whether it has not been read yet, was read at the last attempt, or could not be read.',
    }),
    last_read_at: field.nullable({
      ...field.Timestamp,
      description: 'When it was last read, also if nothing had changed: UTC, RFC 3339. Null if never.',
    }),
    failure: Type.Unsafe<(typeof BUSY_FAILURES)[number] | null>({
      type: ['string', 'null'],
      enum: [...BUSY_FAILURES, null],
      description:
        'Why the last attempt failed: the host has no public address, cannot be reached, or took more than 10 seconds; a redirect leads to an address without HTTPS, or there are too many; the status was 401 or 403, 404 or 410, or another that is not 200; the text has more than 5 MB, is no calendar, breaks off, or has too many entries; the address cannot be read because the service has another `JWT_SECRET`. Null unless it is failing.',
    }),
  },
  {
    $id: 'BusyCalendar',
    description: 'A calendar that an instructor keeps elsewhere. Only its busy times are kept.',
    examples: [example.busyCalendar],
  },
)
export type BusyCalendar = Static<typeof BusyCalendarSchema>

export const NewBusyCalendarSchema = field.closed(
  {
    name,
    url: field.described(
      field.text(URL_LENGTH),
      'The secret address of the calendar (RFC 5545): `https`, without user or password, at a public address.',
    ),
  },
  {
    $id: 'NewBusyCalendar',
    description: 'The calendar to read.',
    examples: [example.newBusyCalendar],
  },
)
export type NewBusyCalendar = Static<typeof NewBusyCalendarSchema>

export const busyCalendarFaultsFor = httpsFaultsFor

export const BusyTimeSchema = field.closed(
  {
    start_at: field.described(field.LocalDateTime, "The start, by the school's wall clock."),
    end_at: field.described(field.LocalDateTime, "The end, by the school's wall clock."),
  },
  { description: 'A time in which the instructor is busy elsewhere.' },
)

export const BusyTimesSchema = field.closed(
  {
    instructor_id: field.described(field.Id, 'The instructor.'),
    is_failing: Type.Boolean({
      description: 'Whether one of the calendars cannot be read. Its last times are kept for 7 days.',
    }),
    times: Type.Array(BusyTimeSchema, { description: 'The busy times, sorted; none overlap.' }),
  },
  {
    $id: 'BusyTimes',
    description: 'The times in which an instructor with busy calendars is busy elsewhere.',
    examples: [example.busyTimes],
  },
)
export type BusyTimes = Static<typeof BusyTimesSchema>
