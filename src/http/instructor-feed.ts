import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FeedDetail } from '../contract/link.ts'
import { notFound } from '../contract/problem.ts'
import type { FollowedFeed } from '../db/links.ts'
import { type FeedLesson, listFeedLessons } from '../db/shared-lessons.ts'
import { daysLater } from '../domain/local-time.ts'
import { localToday } from '../domain/time-zone.ts'
import { isKnown, rowsTag } from './entity-tag.ts'
import { CALENDAR_END, type CalendarEntry, calendarBegin, calendarEntry } from './icalendar.ts'
import { begun } from './list-reply.ts'
import type { Service } from './service.ts'
import { type Words, wordsFor } from './words.ts'

const DAYS_BACK = 30
const DAYS_AHEAD = 366

/** Changes with what the code makes of a lesson: who has read it in another way reads it again. */
const SHAPE = '2'

/** Answers the feed that was followed, a page of lessons at a time; 304 where the client has it. Throws `not_found`. */
export async function sendFeed(
  request: FastifyRequest,
  reply: FastifyReply,
  { db, now }: Service,
): Promise<FastifyReply> {
  const { tenant, feed } = request.linked ?? {}
  if (!tenant || !feed) throw notFound()
  const { timezone, locale } = tenant
  const words = wordsFor(locale)
  const calendar = { name: `${feed.first_name} · ${tenant.name}`, timezone, locale }
  const today = localToday(now(), timezone)
  const [from, to] = [daysLater(today, -DAYS_BACK), daysLater(today, DAYS_AHEAD)]
  const list = listFeedLessons(db, { tenantId: tenant.id, instructor_id: feed.instructor_id, from, to })
  const { digest, pages } = await list.outline()
  const begin = calendarBegin(calendar)
  reply.header('x-robots-tag', 'noindex')
  if (isKnown(request, reply, rowsTag([SHAPE, feed.detail, begin, words.busy, digest])))
    return reply.code(304).send()
  async function* parts(): AsyncGenerator<string> {
    let before = begin
    for (const ids of pages) {
      const rows = await request.turn.read(() => list.rows(ids))
      yield before + entriesOf(rows, feed as FollowedFeed, { timezone, words })
      before = ''
    }
    yield before + CALENDAR_END
  }
  await request.server.openAnswers.enter(request, reply)
  return sendCalendar(reply, await begun(parts()))
}

/** Answers a calendar as a file that calendars subscribe to. */
export function sendCalendar(reply: FastifyReply, calendar: string | Readable): FastifyReply {
  return reply
    .type('text/calendar; charset=utf-8')
    .header('content-disposition', 'inline; filename="fahrplan.ics"')
    .send(calendar)
}

function entriesOf(
  rows: string,
  { detail }: FollowedFeed,
  { timezone, words }: { readonly timezone: string; readonly words: Words },
): string {
  const lessons = JSON.parse(`[${rows}]`) as readonly FeedLesson[]
  return lessons.map((lesson) => calendarEntry(entryFor(lesson, detail, words), timezone)).join('')
}

function entryFor(lesson: FeedLesson, detail: FeedDetail, words: Words): CalendarEntry {
  const { id, version, changed_at, start_at, end_at, status } = lesson
  return {
    uid: `${id}@fahrplan`,
    version,
    changed_at,
    start_at,
    end_at,
    isCancelled: status === 'cancelled',
    ...SHOWN[detail](lesson, words),
  }
}

type Shown = Pick<CalendarEntry, 'summary' | 'description'>

/** What each detail shows. Notes and phone only where everything was asked for: a feed leaves for another's servers. */
const SHOWN: Readonly<Record<FeedDetail, (lesson: FeedLesson, words: Words) => Shown>> = {
  busy: (_, words) => ({ summary: words.busy }),
  lesson: ({ student, lesson_type }) => ({
    summary: student ? `${lesson_type}: ${student.first_name} ${initialOf(student.last_name)}` : lesson_type,
  }),
  full: ({ student, lesson_type, title, notes }) => ({
    summary: student ? `${title}: ${student.first_name} ${student.last_name}` : title,
    description: [title === lesson_type ? '' : lesson_type, student?.phone, notes]
      .filter(Boolean)
      .join('\n\n'),
  }),
}

function initialOf(name: string): string {
  return `${[...name][0] ?? ''}.`
}
