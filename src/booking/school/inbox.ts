import { ownOf } from '../../auth/permissions.ts'
import type { Actor } from '../../contract/actor.ts'
import type { Inbox, InboxEntry } from '../../contract/inbox.ts'
import {
  countNews,
  INBOX_DAYS,
  type InboxBounds,
  type InboxReader,
  listNews,
  markInboxSeen,
  type News,
  readInboxSeen,
} from '../../db/messages/inbox.ts'
import { countUndelivered, listUndelivered } from '../../db/messages/undelivered-messages.ts'
import type { Database } from '../../db/schema/tables.ts'
import { listFailingCalendars } from '../../db/school/busy-calendars.ts'
import { findRetentionNotice } from '../../db/school/retention-notices.ts'
import { listNewEnquiries } from '../../db/students/enquiries.ts'
import { localNow } from '../../domain/time-zone.ts'

const MAX_COUNTED = 100

export type InboxPage = Omit<Inbox, 'entries'> & {
  readonly entries: readonly InboxEntry[]
  readonly last: InboxEntry | undefined
}

/** Reads a page of the actor's inbox. Throws `forbidden` for an instructor's login without an instructor. */
export async function readInbox(db: Database, actor: Actor, bounds: InboxBounds): Promise<InboxPage> {
  const reader = readerOf(actor)
  const more = { ...bounds, limit: bounds.limit + 1 }
  const seen = await seenBy(db, actor)
  const [news, undelivered, notices, counted] = await Promise.all([
    listNews(db, reader, more),
    listUndelivered(db, reader, more),
    listNotices(db, actor),
    countNew(db, reader, seen),
  ])
  const all = [...news, ...undelivered, ...noticesIn(notices, bounds)].toSorted(newestFirst)
  const entries = all
    .slice(0, bounds.limit)
    .map((entry) => ({ ...entry, is_new: seen === undefined || entry.at > seen }))
  const last = all.length > bounds.limit ? entries.at(-1) : undefined
  return { new: withNotices(counted, notices, seen), seen_until: seen ?? null, entries, last }
}

/** Moves the actor's place in the inbox forward. Returns the news that are left. */
export async function markInbox(db: Database, actor: Actor, until: string): Promise<Omit<Inbox, 'entries'>> {
  const reader = readerOf(actor)
  if (actor.id !== null) await markInboxSeen(db, actor.tenant.id, { userId: actor.id, until })
  const seen = await seenBy(db, actor)
  const [counted, notices] = await Promise.all([countNew(db, reader, seen), listNotices(db, actor)])
  return { new: withNotices(counted, notices, seen), seen_until: seen ?? null }
}

function readerOf(actor: Actor): InboxReader {
  const { tenant, now: moment, id: reader } = actor
  const { own } = ownOf(actor)
  return { tenantId: tenant.id, own, reader, now: localNow(moment, tenant.timezone), moment }
}

async function seenBy(db: Database, { tenant, id }: Actor): Promise<string | undefined> {
  return id === null ? undefined : readInboxSeen(db, tenant.id, id)
}

async function countNew(db: Database, reader: InboxReader, since: string | undefined): Promise<number> {
  const counting = { since, limit: MAX_COUNTED }
  const counts = await Promise.all([countNews(db, reader, counting), countUndelivered(db, reader, counting)])
  return Math.min(MAX_COUNTED, counts[0] + counts[1])
}

async function listNotices(db: Database, actor: Actor): Promise<readonly News[]> {
  const notices = [dueNotices(db, actor), failingNotices(db, actor), enquiryNotices(db, actor)]
  return (await Promise.all(notices)).flat()
}

/** Returns an entry for each enquiry that waits for an answer, for the office. */
async function enquiryNotices(db: Database, { tenant, role }: Actor): Promise<readonly News[]> {
  if (role === 'instructor') return []
  const enquiries = await listNewEnquiries(db, tenant.id, { days: INBOX_DAYS, limit: MAX_COUNTED })
  return enquiries.map(({ id, at, ...enquiry }) => {
    return { ...NO_DETAILS, id, at, kind: 'enquiry', due: null, enquiry }
  })
}

/** Returns an entry for each calendar that cannot be read, for the office. A school that ignores them gets none. */
async function failingNotices(db: Database, { tenant, role }: Actor): Promise<readonly News[]> {
  if (role === 'instructor' || tenant.busy_calendars === 'ignore') return []
  const calendars = await listFailingCalendars(db, tenant.id, INBOX_DAYS)
  return calendars.map(({ id, name, instructor_id, troubled_since: at, failure }) => {
    const calendar = { name, failure }
    return { ...NO_DETAILS, id, at, kind: 'busy_calendar_failing', due: null, instructor_id, calendar }
  })
}

/** Returns the notice that students are due, for owners alone. */
async function dueNotices(db: Database, { tenant, role }: Actor): Promise<readonly News[]> {
  if (role !== 'owner') return []
  const notice = await findRetentionNotice(db, tenant.id, INBOX_DAYS)
  if (!notice || notice.due === 0) return []
  const { id, at, due } = notice
  return [{ ...NO_DETAILS, id, at, kind: 'retention_due', due }]
}

const NO_DETAILS = {
  actor: { kind: 'system', id: null, name: '' },
  student_id: null,
  instructor_id: null,
  lesson: null,
  was: null,
  freed: null,
  fee_percent: null,
  calendar: null,
  enquiry: null,
  wish: null,
  request: null,
  message: null,
} as const

function noticesIn(notices: readonly News[], { after_at: at, after_id: id }: InboxBounds): readonly News[] {
  if (at === undefined || id === undefined) return notices
  return notices.filter((notice) => notice.at < at || (notice.at === at && notice.id < id))
}

function withNotices(counted: number, notices: readonly News[], seen: string | undefined): number {
  const fresh = notices.filter(({ at }) => seen === undefined || at > seen)
  return Math.min(MAX_COUNTED, counted + fresh.length)
}

function newestFirst(one: News, other: News): number {
  if (one.at !== other.at) return one.at > other.at ? -1 : 1
  return one.id > other.id ? -1 : 1
}
