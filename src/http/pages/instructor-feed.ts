import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FeedDetail } from '../../contract/link.ts'
import { notFound } from '../../contract/problem.ts'
import { type FeedLesson, listFeedLessons } from '../../db/calendars/shared-lessons.ts'
import { daysLater } from '../../domain/local-time.ts'
import { ownTitle } from '../../domain/own-title.ts'
import { localToday } from '../../domain/time-zone.ts'
import { sendCalendar } from '../responses/calendar-stream.ts'
import { messagesFor, type PageMessages } from '../responses/messages.ts'
import type { Service } from '../service.ts'
import { type CalendarEntry, calendarBegin } from './icalendar.ts'

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

/** Marks a cancelled lesson in its title, because many calendars ignore the status. */
export function cancelledSummary(summary: string, { tag, cancelled }: PageMessages): string {
  const [first = '', ...rest] = cancelled
  return `${first.toLocaleUpperCase(tag)}${rest.join('')}: ${summary}`
}

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

/** Returns the topic and the vehicles of a lesson, a line each. */
export function contentOf({ topic, vehicles }: Pick<FeedLesson, 'topic' | 'vehicles'>): string {
  return [topic, vehicles].filter(Boolean).join('\n')
}

export function described(paragraphs: readonly (string | null | undefined)[]): string {
  return paragraphs.filter(Boolean).join('\n\n')
}

function initialOf(name: string): string {
  return `${[...name][0] ?? ''}.`
}
