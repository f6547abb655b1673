import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { CALENDAR_END, type CalendarEntry, calendarEntry } from '../../calendar/icalendar.ts'
import type { JsonList } from '../../db/json-list.ts'
import type { Steps } from '../../domain/steps.ts'
import { isCurrentFor, rowsTag } from './entity-tag.ts'
import { begun } from './list-reply.ts'
import { rowParts } from './row-parts.ts'

/** The version of the entry format. Increment it with every change, so that clients read the calendar again. */
const SHAPE = '5'

type LessonCalendar<Row> = {
  readonly list: JsonList
  readonly timezone: string
  /** The output of `calendarBegin`. */
  readonly begin: string
  readonly entryFor: (row: Row) => CalendarEntry
  /** Further texts that the entries depend on. */
  readonly texts: readonly string[]
}

/** Sends a calendar file for subscriptions, a page of lessons at a time; 304 if the client has this version. */
export async function sendCalendar<Row>(
  request: FastifyRequest,
  reply: FastifyReply,
  { list, timezone, begin, entryFor, texts }: LessonCalendar<Row>,
): Promise<FastifyReply> {
  const { digest, pages } = await list.outline()
  if (isCurrentFor(request, reply, rowsTag([SHAPE, begin, ...texts, digest]))) return reply.code(304).send()
  function* entriesOf(rows: Buffer): Steps<string> {
    let text = ''
    for (const row of JSON.parse(`[${rows}]`) as readonly Row[]) {
      text += calendarEntry(entryFor(row), timezone)
      yield
    }
    return text
  }
  async function* parts(): AsyncGenerator<string> {
    let before = begin
    for await (const rows of rowParts(list, pages, (part) => request.turn.read(part))) {
      yield before + (await request.slicer.run(entriesOf(rows)))
      before = ''
    }
    yield before + CALENDAR_END
  }
  await request.server.openResponses.enter(request, reply)
  const calendar: Readable = await begun(parts())
  return reply
    .type('text/calendar; charset=utf-8')
    .header('content-disposition', 'inline; filename="fahrplan.ics"')
    .send(calendar)
}
