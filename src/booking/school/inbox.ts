import { ownOf } from '../../auth/permissions.ts'
import type { Actor } from '../../contract/actor.ts'
import type { Inbox, InboxEntry } from '../../contract/inbox.ts'
import {
  countNews,
  type InboxBounds,
  type InboxReader,
  listNews,
  markInboxSeen,
  type News,
  readInboxSeen,
} from '../../db/messages/inbox.ts'
import { countUndelivered, listUndelivered } from '../../db/messages/undelivered-messages.ts'
import type { Database } from '../../db/schema/tables.ts'
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
  const [news, undelivered, fresh] = await Promise.all([
    listNews(db, reader, more),
    listUndelivered(db, reader, more),
    countNew(db, reader, seen),
  ])
  const all = [...news, ...undelivered].toSorted(newestFirst)
  const entries = all
    .slice(0, bounds.limit)
    .map((entry) => ({ ...entry, is_new: seen === undefined || entry.at > seen }))
  const last = all.length > bounds.limit ? entries.at(-1) : undefined
  return { new: fresh, seen_until: seen ?? null, entries, last }
}

/** Moves the actor's place in the inbox forward. Returns what is still new. */
export async function markInbox(db: Database, actor: Actor, until: string): Promise<Omit<Inbox, 'entries'>> {
  const reader = readerOf(actor)
  if (actor.id !== null) await markInboxSeen(db, actor.tenant.id, { userId: actor.id, until })
  const seen = await seenBy(db, actor)
  return { new: await countNew(db, reader, seen), seen_until: seen ?? null }
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

function newestFirst(one: News, other: News): number {
  if (one.at !== other.at) return one.at > other.at ? -1 : 1
  return one.id > other.id ? -1 : 1
}
