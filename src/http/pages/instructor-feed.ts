import type { FastifyReply, FastifyRequest } from 'fastify'
import { messagesFor, type PageMessages } from '../../booking/packs/page-messages.ts'
import { type CalendarEntry, calendarBegin } from '../../calendar/icalendar.ts'
import { cancelledSummary, contentOf, described } from '../../calendar/student-entry.ts'
import type { FeedDetail } from '../../contract/link.ts'
import { notFound } from '../../contract/problem.ts'
import { type FeedLesson, listFeedLessons } from '../../db/calendars/shared-lessons.ts'
import { daysLater } from '../../domain/local-time.ts'
import { ownTitle } from '../../domain/own-title.ts'
import { localToday } from '../../domain/time-zone.ts'
import { sendCalendar } from '../responses/calendar-stream.ts'
import type { Service } from '../service.ts'

const DAYS_BACK = 30
const DAYS_AHEAD = 366

/** Sends the feed of the opened link. Throws `not_found`. */
export async function sendFeed(
  request: FastifyRequest,
  reply: FastifyReply,
  { db, now }: Service,
): Promise<FastifyReply> {
  const { tenant, feed } = request.linked ?? {}
  if (!tenant || !feed) throw notFound()
  const { timezone, locale } = tenant
  const { first_name, instructor_id, detail } = feed
  const texts = messagesFor(locale)
  const today = localToday(now(), timezone)
  const [from, to] = [daysLater(today, -DAYS_BACK), daysLater(today, DAYS_AHEAD)]
  reply.header('x-robots-tag', 'noindex')
  return sendCalendar<FeedLesson>(request, reply, {
    list: listFeedLessons(db, { tenantId: tenant.id, instructor_id, from, to }),
    timezone,
    begin: calendarBegin({ name: `${first_name} · ${tenant.name}`, timezone, locale }),
    entryFor: (lesson) => entryFor(lesson, detail, texts),
    texts: [detail, texts.busy, texts.cancelled],
  })
}

function entryFor(lesson: FeedLesson, detail: FeedDetail, texts: PageMessages): CalendarEntry {
  const { id, version, changed_at, start_at, end_at, status } = lesson
  const isCancelled = status === 'cancelled'
  const { summary, ...shown } = SHOWN[detail](lesson, texts)
  return {
    uid: `${id}@fahrplan`,
    version,
    changed_at,
    start_at,
    end_at,
    isCancelled,
    summary: isCancelled ? cancelledSummary(summary, texts) : summary,
    ...shown,
  }
}

type Shown = Pick<CalendarEntry, 'summary' | 'description' | 'location'>

/** The content for each level of detail. Only `full` has notes and phones, because feeds go to other companies' servers. */
const SHOWN: Readonly<Record<FeedDetail, (lesson: FeedLesson, texts: PageMessages) => Shown>> = {
  busy: (_, texts) => ({ summary: texts.busy }),
  lesson: ({ student, lesson_type, place, ...lesson }) => ({
    location: place,
    description: described([contentOf(lesson)]),
    summary: student ? `${lesson_type}: ${student.first_name} ${initialOf(student.last_name)}` : lesson_type,
  }),
  full: ({ student, lesson_type, former_names, title, notes, place, ...lesson }) => {
    const own = ownTitle(title, { name: lesson_type, former_names })
    const what = own ?? lesson_type
    return {
      location: place,
      summary: student ? `${what}: ${student.first_name} ${student.last_name}` : what,
      description: described([
        own && lesson_type,
        contentOf(lesson),
        student?.phone,
        student?.phone_2,
        notes,
      ]),
    }
  },
}

function initialOf(name: string): string {
  return `${[...name][0] ?? ''}.`
}
