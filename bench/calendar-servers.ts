import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { thisMonday } from '../test/support/history.ts'
import { CERTIFICATE, KEY } from '../test/support/receiver.ts'

/** A kind of calendar, with the bytes of its body as they are sent. */
export type CalendarKind = {
  readonly name: string
  readonly count: number
  readonly body: Buffer
  readonly isChunked?: boolean
}

/** The service reads eight calendars of a server at a time, and 32 of all. */
const SERVERS = 5
const HOSTILE = 8
const TYPICAL = 152
const ENTRIES = 500
const FULL = 25_000
const TAG = '"same"'

const DAY = thisMonday().replaceAll('-', '')
const MOMENT = `DTSTART:${DAY}T000000Z\r\nDTEND:${DAY}T000001Z`
const whole = (entries: string) =>
  Buffer.from(`BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//bench//bench//EN\r\n${entries}END:VCALENDAR\r\n`)
const entry = (lines: string, uid: number | string = 'x') =>
  `BEGIN:VEVENT\r\nUID:${uid}\r\n${lines}\r\nEND:VEVENT\r\n`

/** Returns 200 calendars by kind: ordinary ones, the largest that are read, and some made to harm. */
export function calendarKinds(): readonly CalendarKind[] {
  return [
    { name: `${ENTRIES} entries`, count: TYPICAL, body: whole(entries(ENTRIES)) },
    { name: '5 MB of entries', count: HOSTILE, body: whole(entries(FULL)) },
    {
      name: 'nearly 5,000 times',
      count: HOSTILE,
      body: whole(entry(`DTSTART:${DAY}T000000Z\r\nDURATION:PT10M\r\nRRULE:FREQ=MINUTELY;INTERVAL=27`)),
    },
    { name: 'parts of a byte', count: HOSTILE, body: inChunks(entries(3_000)), isChunked: true },
    {
      name: 'endless series',
      count: HOSTILE,
      body: whole(entry('DTSTART:20100101T000000Z\r\nDURATION:PT1M\r\nRRULE:FREQ=HOURLY').repeat(40_000)),
    },
    {
      name: 'a million lines',
      count: HOSTILE,
      body: whole(entry(`${MOMENT}\r\n${'X:\r\n'.repeat(1_000_000)}X:`)),
    },
    {
      name: 'nested parts',
      count: HOSTILE,
      body: whole('BEGIN:X\r\n'.repeat(150_000) + 'END:X\r\n'.repeat(150_000)),
    },
  ]
}

/** Returns entries as people have them: over a year around today, every tenth of them a weekly series. */
function entries(count: number): string {
  return Array.from({ length: count }, (_, index) => {
    const day = new Date(Date.parse(thisMonday()) + (((index * 7) % 365) - 100) * 86_400_000)
    const date = day.toISOString().slice(0, 10).replaceAll('-', '')
    const start = `DTSTART;TZID=Europe/Berlin:${date}T${String(7 + (index % 12)).padStart(2, '0')}0000`
    const series = index % 10 === 0 ? '\r\nRRULE:FREQ=WEEKLY' : ''
    const texts = `SUMMARY:Termin ${index}\r\nDESCRIPTION:Mit Unterlagen\\, vorher anrufen\r\nLOCATION:Zimmer ${index}`
    return entry(`${start}\r\nDURATION:PT45M${series}\r\n${texts}`, index)
  }).join('')
}

function inChunks(text: string): Buffer {
  const bytes = whole(text)
  const chunks = Buffer.alloc(bytes.length * 6 + 5)
  let at = 0
  for (const byte of bytes) {
    at += chunks.write('1\r\n', at)
    chunks[at] = byte
    at += 1 + chunks.write('\r\n', at + 1)
  }
  chunks.write('0\r\n\r\n', at)
  return chunks
}

/** Starts servers of calendars. `urlOf` returns the address of a kind on one of them. */
export async function startCalendarServers(kinds: readonly CalendarKind[]) {
  const bodies = new Map(kinds.map((kind, index) => [`/${index}`, kind]))
  const send = ({ url = '', headers }: IncomingMessage, response: ServerResponse) => {
    const kind = bodies.get(url)
    if (!kind) return void response.writeHead(404).end()
    // Every other kind is sent again, and recognized by its digest.
    const isTagged = Number(url.slice(1)) % 2 === 0
    if (isTagged && headers['if-none-match'] === TAG) return void response.writeHead(304).end()
    if (kind.isChunked)
      return void response.socket?.end(
        Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'), kind.body]),
      )
    response.writeHead(200, isTagged ? { etag: TAG } : {}).end(kind.body)
  }
  const servers = await Promise.all(
    Array.from({ length: SERVERS }, async () => {
      const server = createServer({ key: KEY, cert: CERTIFICATE }, send)
      await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
      return server
    }),
  )
  const ports = servers.map((server) => (server.address() as AddressInfo).port)
  return {
    urlOf: (kind: CalendarKind, index: number) =>
      `https://127.0.0.1:${ports[index % SERVERS]}/${kinds.indexOf(kind)}`,
    close: async () => {
      for (const server of servers) {
        server.closeAllConnections()
        await new Promise((closed) => server.close(closed))
      }
    },
  }
}
