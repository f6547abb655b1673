import type { Query, QueryClient, QueryKey } from '@tanstack/react-query'
import type { Bootstrap } from '../../contract/bootstrap.ts'
import { daysLater } from '../../domain/local-time.ts'
import { localToday } from '../../domain/time-zone.ts'
import { bootstrap } from '../data/bootstrap.ts'
import { COMPUTED } from '../data/computed.ts'
import { INBOX } from '../data/inbox.ts'
import { locationList } from '../data/location-list.ts'
import { REQUESTS } from '../data/requests.ts'
import { type SessionChange, whenSessionChanges } from '../data/session.ts'
import { vehicleList } from '../data/vehicles.ts'
import { corrections } from './corrections.ts'
import { drop, GONE, keep, MARK, read, readAll } from './device.ts'
import { drafts } from './drafts.ts'
import { confirmSender, forgetOutbox, loadOutbox, OUTBOX } from './outbox.ts'

/** The age in milliseconds at which a copy expires: its days are over. */
const LONGEST_MS = 3 * 24 * 60 * 60_000

/** The first and last day to store, relative to today. */
const DAYS = { first: -1, last: 2 }

/** The version of the copies. Raise it when a page needs a new field: copies without the field would crash the page at every start. */
const FORMAT = 1

type Copy = {
  readonly queryKey: QueryKey
  readonly data: unknown
  readonly at: number
  readonly format: number
}

const BOOTSTRAP = nameOf(bootstrap.queryKey)
const KINDS_OF_SCHOOL: ReadonlySet<unknown> = new Set([vehicleList.queryKey[0], locationList.queryKey[0]])
const OF_LESSONS: ReadonlySet<unknown> = new Set(['progress', 'signatures', 'due'])
const KINDS = ['appointments', 'practised', REQUESTS, INBOX] as const

/** The keys of the user's own entries, which are not copies of the service's data. */
const ENTERED: ReadonlySet<string> = new Set([OUTBOX, drafts.name, corrections.name])

let isKeeping = false

/** Restores the stored day before the first paint, as stale data, and starts storing. */
export async function restoreDay(client: QueryClient): Promise<void> {
  if (localStorage.getItem(MARK) === GONE) return forgetDay()
  const copies = new Map(await readAll())
  const known = copies.get(BOOTSTRAP) as Copy | undefined
  const person = known && (known.data as Bootstrap).user.id
  if (known && isFresh(known)) {
    for (const [name, copy] of copies) {
      if (ENTERED.has(name)) continue
      const { queryKey, data, at } = copy as Copy
      if (isFresh(copy as Copy) && isKept(queryKey, known.data as Bootstrap))
        client.setQueryData(queryKey, data, { updatedAt: at })
      else await drop([name])
    }
    void client.invalidateQueries({ refetchType: 'none' })
  } else await forgetCopies()
  if (person) await Promise.all([loadOutbox(person), drafts.load(person), corrections.load(person)])
  startCaching(client)
}

/** Stores the data that an instructor loads about the days around today. Later calls have no effect. */
export function startCaching(client: QueryClient): void {
  if (isKeeping) return
  isKeeping = true
  whenSessionChanges(forgetWhenOver)
  const forGood = { gcTime: Number.POSITIVE_INFINITY }
  for (const kind of KINDS) client.setQueryDefaults([kind], forGood)
  for (const kind of OF_LESSONS) client.setQueryDefaults([COMPUTED, kind], forGood)
  client.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success') return
    const isFromService = event.action.manual !== true
    void take(client, event.query, isFromService)
  })
  // Restored data are marked as stale, since the user is not confirmed yet.
  for (const query of client.getQueryCache().getAll())
    if (query.state.data) void take(client, query, !query.state.isInvalidated)
}

/** Deletes data that the next user must not see. If the session expires, unsent entries are kept for its user. */
function forgetWhenOver({ session, who }: SessionChange): void {
  if (session === 'expired') void forgetCopies()
  else if (session === 'left') void forgetDevice()
  else if (session !== 'begun' || who === 'other') void forgetDay()
}

/** Deletes the copies, but keeps the user's entries. */
export async function forgetCopies(): Promise<void> {
  const names = (await readAll()).map(([name]) => name)
  await drop(names.filter((name) => !ENTERED.has(name)))
}

/** Deletes everything, as at logout. */
export async function forgetDay(): Promise<void> {
  drafts.forget()
  corrections.forget()
  await forgetDevice()
}

/** Deletes everything except the texts on the page, which outlive a logout in another tab like a form. */
async function forgetDevice(): Promise<void> {
  forgetOutbox()
  await drop((await readAll()).map(([name]) => name))
  localStorage.removeItem(MARK)
}

async function take(client: QueryClient, { queryKey, state }: Query, isFromService: boolean): Promise<void> {
  const school = client.getQueryData(bootstrap.queryKey)
  if (!school) return
  if (nameOf(queryKey) === BOOTSTRAP && isFromService) await takePerson(client, school)
  if (isKept(queryKey, school)) {
    const copy: Copy = { queryKey, data: state.data, at: state.dataUpdatedAt, format: FORMAT }
    await keep(nameOf(queryKey), copy)
  }
}

/** Handles a user confirmed by the service: deletes copies unless they are this instructor's, and sends waiting entries. */
async function takePerson(client: QueryClient, { user }: Bootstrap): Promise<void> {
  const known = await read<Copy>(BOOTSTRAP)
  const isOther = known !== undefined && (known.data as Bootstrap).user.id !== user.id
  if (isOther || user.role !== 'instructor') await forgetCopies()
  // Another user's data must not stay on the page either.
  if (isOther) void client.resetQueries({ predicate: ({ queryKey }) => nameOf(queryKey) !== BOOTSTRAP })
  await Promise.all([loadOutbox(user.id), drafts.load(user.id), corrections.load(user.id)])
  confirmSender(client, user.id)
}

/** Whether a query belongs to an instructor's day: user, school with vehicles and branches, the days around today and their data. */
function isKept(queryKey: QueryKey, { user, tenant }: Bootstrap): boolean {
  if (user.role !== 'instructor') return false
  const [kind, more] = queryKey
  if (kind === 'appointments') {
    const { from, to } = more as { readonly from?: string; readonly to?: string }
    const today = localToday(new Date(), tenant.timezone)
    const [first, last] = [daysLater(today, DAYS.first), daysLater(today, DAYS.last)]
    return from !== undefined && from === to && from >= first && from <= last
  }
  if (kind === REQUESTS) return more === user.instructor_id
  if (kind === 'practised' || kind === INBOX || KINDS_OF_SCHOOL.has(kind)) return true
  return (kind === COMPUTED && OF_LESSONS.has(more)) || nameOf(queryKey) === BOOTSTRAP
}

function isFresh({ at, format }: Copy): boolean {
  return format === FORMAT && Date.now() - at < LONGEST_MS
}

function nameOf(queryKey: QueryKey): string {
  return JSON.stringify(queryKey)
}
