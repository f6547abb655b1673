import type { QueryClient } from '@tanstack/react-query'
import i18next from 'i18next'
import type { Appointment } from '../../contract/appointment.ts'
import { withBrowserLock } from '../data/browser-lock.ts'
import { showPendingWrites } from '../data/pending-writes.ts'
import { ApiProblem } from '../data/send.ts'
import {
  dropDueSignature,
  type SentSignature,
  sendSignature,
  signaturesOfLesson,
} from '../data/signatures.ts'
import { createStore } from '../data/store.ts'
import { currentIn, isOutcomeUnknown, problemMessage } from '../ui/problem-messages.ts'
import { toast } from '../ui/toasts.ts'
import { unsent } from '../ui/unsent.ts'
import { changeStored, drop, read } from './device.ts'
import { currentEntry, type OutboxEntry, signedIdOf, withSignatures, writeEntry } from './outbox-entry.ts'
import { changeBy, followedBy, type Outcome } from './outcome.ts'

export const OUTBOX = 'outbox'

/** Milliseconds between retries, unless the browser reports that the network is back. */
const PAUSE_MS = 5_000

/** A function that replaces a stored entry by what is left of it. */
type Settle = (settled: (stored: OutboxEntry) => readonly OutboxEntry[]) => Promise<void>
type StoredOutbox = { readonly user_id: string; readonly entries: readonly OutboxEntry[] }

const NOTHING: readonly OutboxEntry[] = []
const outbox = createStore<readonly OutboxEntry[]>(NOTHING)
const siblings = new BroadcastChannel('fahrplan.outbox')

/** The owner of the entries, and the user confirmed by the service. */
let owner: string | undefined
let sender: { readonly client: QueryClient; readonly user_id: string } | undefined
/** Whether the device holds the entries shown; it may be full. */
let isStored = true
let sending: Promise<void> | undefined
let timer: ReturnType<typeof setInterval> | undefined
let stopExpecting = () => {}

siblings.onmessage = () => {
  if (owner) void loadOutbox(owner)
}
addEventListener('online', () => void sendAll())

/** The unsent and the refused entries. */
export const useOutbox = outbox.use

/** Reads a user's unsent entries, and deletes those of another user. */
export async function loadOutbox(user_id: string): Promise<void> {
  if (owner !== user_id) clear()
  owner = user_id
  const kept = await read<StoredOutbox>(OUTBOX)
  if (kept && kept.user_id !== user_id) await drop([OUTBOX])
  else if (kept && owner === user_id && isStored) show(kept.entries.map(currentEntry))
}

/** Sends waiting entries, now that the service has confirmed the user. */
export function confirmSender(client: QueryClient, user_id: string): void {
  sender = { client, user_id }
  void sendAll()
}

/** Stops sending and clears the entries on the page after the session has ended. */
export function forgetOutbox(): void {
  owner = undefined
  sender = undefined
  clear()
}

function clear(): void {
  isStored = true
  show(NOTHING)
}

/**
 * Records an entry about a lesson, shows it at once, and sends it as soon as possible. An earlier refused entry is sent with
 * it, and refused again unless it is possible by now. Calls `onKept` once the device has stored the entry, or it has been sent.
 */
export async function recordEntry(seen: Appointment, outcome: Outcome, onKept?: () => void): Promise<void> {
  await put((entries) => {
    const before = entries.find((one) => one.seen.id === seen.id)
    const { refused: _, ...said } = before ?? { seen, change: {} }
    const entry = { ...said, change: followedBy(said.change, outcome), revision: crypto.randomUUID() }
    if (before) return entries.map((one) => (one === before ? entry : one))
    return [...entries, entry]
  })
  const isKept = isStored
  if (isKept) onKept?.()
  await sendAll()
  if (!isKept && !outbox.get().some((one) => one.seen.id === seen.id)) onKept?.()
}

/** Records signatures given at a lesson, shows them at once, and sends them after the lesson's other entries. */
export async function recordSignatures(seen: Appointment, added: readonly SentSignature[]): Promise<void> {
  await put((entries) => withSignatures(entries, seen, added))
  await sendAll()
}

/** Sends a refused entry again, over the current version. */
export async function resendEntry({
  seen,
  change: outcome,
  signatures,
  refused,
}: OutboxEntry): Promise<void> {
  await put((entries) =>
    entries.map((one) =>
      one.seen.id === seen.id
        ? {
            seen: refused?.theirs ?? seen,
            change: outcome,
            ...(signatures && { signatures }),
            revision: crypto.randomUUID(),
          }
        : one,
    ),
  )
  await sendAll()
}

/** Discards a refused entry. */
export function discardEntry({ seen }: OutboxEntry): Promise<void> {
  return put((entries) => entries.filter((one) => one.seen.id !== seen.id))
}

/** Sends waiting entries in order, one tab at a time, including those added meanwhile. */
function sendAll(): Promise<void> {
  sending ??= withBrowserLock('fahrplan.outbox', sendInOrder).finally(() => {
    sending = undefined
  })
  return sending
}

async function sendInOrder(): Promise<void> {
  let sentLate = 0
  for (;;) {
    if (owner) await loadOutbox(owner)
    const entry = outbox.get().find(({ refused }) => !refused)
    if (!entry) break
    const client = sender?.user_id === owner ? sender?.client : undefined
    const isDone = client ? await trySending(entry, client) : await markWaiting()
    if (!isDone) break
    if (entry.hasWaited && isDone === 'taken') sentLate += 1
  }
  tryAgainLater()
  if (sentLate > 0) toast({ kind: 'done', text: i18next.t('today.sent', { count: sentLate }) })
}

/** Marks all entries as waiting: in an app that was opened offline, the service has not confirmed the user yet. */
async function markWaiting(): Promise<undefined> {
  if (outbox.get().every(({ hasWaited }) => hasWaited)) return
  await put((entries) => entries.map((one) => ({ ...one, hasWaited: true })))
}

/** Sends an entry. Returns undefined if it has to wait: the service is unreachable, or nobody is logged in. */
async function trySending(entry: OutboxEntry, client: QueryClient): Promise<'taken' | 'refused' | undefined> {
  const { seen, revision, signatures = [] } = entry
  const settle: Settle = (settled) =>
    put((entries) => entries.flatMap((one) => (one.seen.id === seen.id ? settled(one) : one)))
  try {
    const isChanged = Object.keys(entry.change).length > 0
    const { done: row = seen, refusal } = isChanged ? await unlessRefused(writeEntry(entry, client)) : {}
    if (signatures.length > 0 && isChanged && !refusal)
      await settle((stored) => [
        { ...stored, seen: row, tried: {}, ...(stored.revision === revision && { change: {} }) },
      ])
    // A refused change keeps back only the signatures of its own lesson.
    const sent = refusal ? signatures.filter(({ due }) => due) : signatures
    const refusals = await sendSignatures({ ...entry, signatures: sent }, client, settle)
    for (const error of [refusal, ...refusals]) if (error) throw error
    await settle((stored) => (stored.revision === revision ? [] : [{ ...stored, seen: row, tried: {} }]))
    return 'taken'
  } catch (error) {
    if (isToWait(error)) {
      // Later entries wait, too.
      await put((entries) =>
        entries.map((one) => ({
          ...one,
          hasWaited: true,
          tried: { ...one.tried, ...(one.seen.id === seen.id && { [revision]: entry.change }) },
        })),
      )
      return undefined
    }
    const refused = { why: whyNotSigned(error) ?? problemMessage(error, i18next.t), theirs: currentIn(error) }
    await settle((stored) => [stored.revision === revision ? { ...stored, refused } : stored])
    return 'refused'
  }
}

/** Sends the signatures of an entry. Returns the refusals. */
async function sendSignatures(
  entry: OutboxEntry,
  client: QueryClient,
  settle: Settle,
): Promise<readonly unknown[]> {
  const refusals: unknown[] = []
  for (const signature of entry.signatures ?? []) {
    const { refusal } = await unlessRefused(sendSignature(entry.seen.id, signature))
    if (refusal) {
      refusals.push(refusal)
      continue
    }
    const id = signedIdOf(entry, signature)
    const { as, student_id } = signature.body
    if (as === 'student' && student_id) dropDueSignature(client, student_id, id)
    await settle(({ signatures: kept = [], ...stored }) => [
      { ...stored, signatures: kept.filter(({ key }) => key !== signature.key) },
    ])
    void client.invalidateQueries(signaturesOfLesson(id))
  }
  return refusals
}

/** Returns the result of a request, or the error of a refusal. Throws if the outcome is unknown. */
async function unlessRefused<T>(
  request: Promise<T>,
): Promise<{ readonly done?: T; readonly refusal?: unknown }> {
  try {
    return { done: await request }
  } catch (refusal) {
    if (isToWait(refusal)) throw refusal
    return { refusal }
  }
}

function whyNotSigned(error: unknown): string | undefined {
  const codes = ['record_changed', 'not_completed', 'not_ended'] as const
  const isOutdated = error instanceof ApiProblem && codes.some((code) => error.is(code))
  return isOutdated ? i18next.t('sign.outdated') : undefined
}

function isToWait(error: unknown): boolean {
  return isOutcomeUnknown(error) || (error instanceof ApiProblem && error.is('unauthenticated'))
}

function tryAgainLater(): void {
  clearInterval(timer)
  if (outbox.get().some(({ refused }) => !refused)) timer = setInterval(() => void sendAll(), PAUSE_MS)
}

/** Changes the entries in all tabs; only in this page while the browser cannot store them. */
async function put(changed: (entries: readonly OutboxEntry[]) => readonly OutboxEntry[]): Promise<void> {
  const user_id = owner
  if (user_id === undefined) return
  const kept = await changeStored<StoredOutbox>(OUTBOX, (before) => {
    const stored = before?.user_id === user_id ? before.entries.map(currentEntry) : NOTHING
    return { user_id, entries: changed(isStored ? stored : outbox.get()) }
  })
  // After a logout in the meantime, nothing may be left on the device.
  if (owner !== user_id) return drop([OUTBOX])
  isStored = kept !== undefined
  show(kept?.entries ?? changed(outbox.get()))
  siblings.postMessage(null)
}

function show(entries: readonly OutboxEntry[]): void {
  outbox.set(entries)
  unsent.set(entries.length)
  const expectedBefore = stopExpecting
  const waiting = entries.filter(({ refused }) => !refused)
  stopExpecting = showPendingWrites(
    waiting.map(({ seen, change: outcome }) => ({
      id: seen.id,
      change: (lesson) => changeBy(outcome, lesson as Appointment),
    })),
  )
  expectedBefore()
}
