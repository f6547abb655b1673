import { useSyncExternalStore } from 'react'
import { ApiProblem, send } from './send.ts'

/**
 * `begun`: assumed valid until the service rejects it. `expired`: the page stays until somebody logs in. `left`: logged
 * out in another tab, with unsaved input here. `owed`: logged out while the service was unreachable. `not_kept`: the browser
 * has dropped the cookies.
 */
type Session = 'begun' | 'expired' | 'left' | 'ended' | 'owed' | 'not_kept'

/** A new state of the session. `who` compares the user with the last one whose data the page showed. */
export type SessionChange = { readonly session: Session; readonly who: 'same' | 'other' | 'unknown' }
type Announcement = { readonly session: Session; readonly userId?: string }

/** Milliseconds for which an unsaved form stays open after a logout in another tab. */
const FORMS_WAIT_MS = 15 * 60_000

/** Milliseconds until an unsent logout is retried. */
const RETRY_MS = 5_000

/** The key that marks an unsent logout; not a secret. */
const LOGOUT_PENDING = 'fahrplan.logout_owed'

let session: Session = localStorage.getItem(LOGOUT_PENDING) ? 'owed' : 'begun'
let person: string | undefined
let leaving: Promise<void> | undefined
let forgetting: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<(change: SessionChange) => void>()
const siblings = new BroadcastChannel('fahrplan.session')
siblings.onmessage = ({ data }: MessageEvent<Announcement>) => {
  const isOut = data.session === 'ended' || data.session === 'owed'
  changeSession(isOut && hasUnsavedForm() ? { session: 'left' } : data)
}

/** The open forms, each as a function that returns whether it has unsaved input. */
const forms = new Set<() => boolean>()

/** Returns this browser's session, shared by all tabs. */
export function useSession(): Session {
  return useSyncExternalStore(subscribe, () => session)
}

export function hasBegun(): boolean {
  return session === 'begun'
}

/** Keeps a form with unsaved input open after a logout in another tab. Returns a function that stops this. */
export function outliveLogout(isFilled: () => boolean): () => void {
  forms.add(isFilled)
  return () => forms.delete(isFilled)
}

export function hasUnsavedForm(): boolean {
  return [...forms].some((isFilled) => isFilled())
}

/** Records the user whose data the page shows. */
export function recordPerson(userId: string): void {
  person = userId
}

/**
 * Logs in with any credentials. Throws as `send` does. If `isUndecided` resolves to true, the caller must call `begin`. The
 * session begins only once the service has returned its user.
 */
export async function logInAt(
  path: string,
  body?: object,
  isUndecided?: () => Promise<boolean>,
): Promise<void> {
  // Its late response would clear the new cookies.
  await leaving
  await send(path, { method: 'POST', body })
  localStorage.removeItem(LOGOUT_PENDING)
  if (!(await isUndecided?.())) await begin()
}

/** Begins the session in every tab as the user of the browser's cookies. */
export async function begin(): Promise<void> {
  announce(await readSession())
}

/** Ends the session in every tab; retries if the service cannot be reached. */
export async function logOut(): Promise<void> {
  localStorage.setItem(LOGOUT_PENDING, '1')
  announce({ session: 'ended' })
  await sendPendingLogout()
}

export function endSession(): void {
  announce({ session: 'expired' })
}

/** Registers a callback for changes of the session in any tab. */
export function whenSessionChanges(act: (change: SessionChange) => void): void {
  listeners.add(act)
}

/** Sends an unsent logout, with retries. */
export function sendPendingLogout(): Promise<void> {
  leaving ??= trySendLogout().finally(() => {
    leaving = undefined
  })
  return leaving
}

async function trySendLogout(): Promise<void> {
  if (!localStorage.getItem(LOGOUT_PENDING)) return
  try {
    await send('/auth/logout', { method: 'POST', body: {} })
  } catch (error) {
    if (!(error instanceof ApiProblem && error.isFinal)) {
      announce({ session: 'owed' })
      setTimeout(() => void sendPendingLogout(), RETRY_MS)
      return
    }
  }
  localStorage.removeItem(LOGOUT_PENDING)
  if (session === 'owed') announce({ session: 'ended' })
}

/** Requests the logged-in user. A 401 right after the login means that the browser has dropped the cookies. */
async function readSession(): Promise<Announcement> {
  try {
    const { id }: { id: string } = await (await send('/auth/me')).json()
    return { session: 'begun', userId: id }
  } catch (error) {
    if (!(error instanceof ApiProblem && error.is('unauthenticated'))) throw error
    return { session: 'not_kept' }
  }
}

function announce(announcement: Announcement): void {
  siblings.postMessage(announcement)
  changeSession(announcement)
}

function changeSession({ session: next, userId }: Announcement): void {
  const isKnown = userId !== undefined && person !== undefined
  session = next
  clearTimeout(forgetting)
  if (next === 'left') forgetting = setTimeout(() => changeSession({ session: 'ended' }), FORMS_WAIT_MS)
  const who = isKnown ? (userId === person ? 'same' : 'other') : 'unknown'
  for (const listener of listeners) listener({ session, who })
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
