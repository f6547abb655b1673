import { BusyAddresses } from '../../src/auth/busy-addresses.ts'
import { BusyCalendarReader, type BusyIntervals } from '../../src/busy/busy-calendar-reader.ts'
import type { BusyTimes } from '../../src/contract/busy-calendar.ts'
import type { TestService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { JWT_SECRET } from '../support/environment.ts'
import type { Row, School } from '../support/factory.ts'
import { CERTIFICATE } from '../support/receiver.ts'
import { type Hiring, useOutbox } from '../support/use-outbox.ts'

/** Intervals that look often and read again only after a failure. */
const HASTE: BusyIntervals = {
  look: 50,
  every: 900_000,
  download: 30_000,
  renew: 30_000,
  firstPause: 3_600_000,
  longestPause: 3_600_000,
}

type ReaderSettings = Hiring<BusyIntervals> & { readonly now?: () => Date }

/** Returns functions that start readers and servers of calendars. Each test begins without calendars, and both stop at its end. */
export function useReaders(service: () => TestService) {
  const { hire, receive: serve } = useOutbox(service, {
    table: 'busy_calendars',
    haste: HASTE,
    open: ({ jwtSecret, ...settings }, { now = () => new Date(NOW) }: ReaderSettings) =>
      new BusyCalendarReader({
        ...settings,
        db: service().db,
        secrets: new BusyAddresses(jwtSecret),
        authorities: [CERTIFICATE],
        now,
      }),
  })
  return { hire, serve }
}

/** The moment of the readers: Sunday, 1 June 2031. */
export const NOW = '2031-06-01T08:00:00Z'

/** Returns a calendar with an entry for each pair of UTC times on 2 June 2031, such as `10:00–11:00`. */
export function calendarWith(...times: readonly string[]): string {
  const at = (time = '') => `20310602T${time.replace(':', '')}00Z`
  const entries = times.map((time, index) => {
    const [start, end] = time.split('–')
    return `BEGIN:VEVENT\r\nUID:${index}\r\nSUMMARY:Kanarienvogel\r\nDTSTART:${at(start)}\r\nDTEND:${at(end)}\r\nEND:VEVENT\r\n`
  })
  return `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\n${entries.join('')}END:VCALENDAR\r\n`
}

/** Adds a calendar at a public address, and then moves it to that of the test's server, which the service would not accept. */
export async function addCalendar(
  service: TestService,
  { client, tenantId }: School,
  instructor: Row,
  url: string,
): Promise<Row> {
  const body = { name: 'Private', url: 'https://203.0.113.7/' }
  const made = must(201, await client.post(`/instructors/${instructor.id}/busy-calendars`, body))
  const address = new BusyAddresses(JWT_SECRET).seal(made.id, url)
  await service.db
    .updateTable('busy_calendars')
    .set({ address })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', made.id)
    .execute()
  return made
}

export async function calendarOf({ client }: School, instructor: Row): Promise<Row | undefined> {
  return must(200, await client.get(`/instructors/${instructor.id}/busy-calendars`))[0]
}

/** Returns the busy times of an instructor on 2 June 2031. */
export async function timesOf(
  { client }: School,
  { id }: Row,
  date = '2031-06-02',
): Promise<readonly string[]> {
  const all: BusyTimes[] = must(200, await client.get(`/busy-times?from=${date}&to=${date}`))
  const { times = [] } = all.find(({ instructor_id }) => instructor_id === id) ?? {}
  return times.map(({ start_at, end_at }) => `${start_at.slice(11)}–${end_at.slice(11)}`)
}

/** Makes a calendar due now. */
export async function makeDue({ db }: TestService, { id }: Row): Promise<void> {
  await db
    .updateTable('busy_calendars')
    .set({ next_read_at: new Date(0) })
    .where('id', '=', id)
    .execute()
}
