import { useSyncExternalStore } from 'react'
import { ApiProblem, send } from './send.ts'

/**
 * `begun` may still turn out to be over: only an answer of the service knows. `expired`: the service has said so, and what
 * stands on the page stays until somebody logs in. `left`: the user has logged out in another tab, and a form in this one has
 * unsaved input. `owed`: logged out while the service could not be reached. `not_kept`:
 * the browser has thrown the cookies away.
 */
type Session = 'begun' | 'expired' | 'left' | 'ended' | 'owed' | 'not_kept'

/** `who`: compared with whose data this page has shown last. */
export type SessionChange = { readonly session: Session; readonly who: 'same' | 'other' | 'unknown' }
type Announcement = { readonly session: Session; readonly userId?: string }

/** The time for which a form waits for a user who has logged out in another tab. */
const FORMS_WAIT_MS = 15 * 60_000

/** Until a logout is sent once more. */
const RETRY_MS = 5_000

/** The mark of a logout that has still to be sent; it is not a secret. */
const OWED = 'fahrplan.logout_owed'

let session: Session = localStorage.getItem(OWED) ? 'owed' : 'begun'
let person: string | undefined
let leaving: Promise<void> | undefined
let forgetting: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<(change: SessionChange) => void>()
const siblings = new BroadcastChannel('fahrplan.session')
siblings.onmessage = ({ data }: MessageEvent<Announcement>) => {
  const isOut = data.session === 'ended' || data.session === 'owed'
  become(isOut && hasUnsavedForm() ? { session: 'left' } : data)
}

/** Tells for each open form whether it has unsaved input. */
const forms = new Set<() => boolean>()

/** The session of this browser, the same in all its tabs. */
export function useSession(): Session {
  return useSyncExternalStore(subscribe, () => session)
}

export function hasBegun(): boolean {
  return session === 'begun'
}

/** Lets a form with unsaved input outlive a logout in another tab. Returns what ends that. */
export function outliveLogout(isFilled: () => boolean): () => void {
  forms.add(isFilled)
  return () => forms.delete(isFilled)
}

/** Whether a form on this page has unsaved input. */
export function hasUnsavedForm(): boolean {
  return [...forms].some((isFilled) => isFilled())
}

/** Records the user whose data the page shows. */
export function notePerson(userId: string): void {
  person = userId
}

/** Throws what `send` throws. Over an expired session the page goes on only if it is known who has logged in. */
export function logIn(email: string, password: string): Promise<void> {
  return enterBy('/auth/login', { email, password })
}

/** The same, by any of the ways in. */
export async function enterBy(path: string, body: object): Promise<void> {
  // Its late answer would clear the new cookies.
  await leaving
  await send(path, { method: 'POST', body })
  localStorage.removeItem(OWED)
  announce(await firstAnswer())
}

/** Ends the session in every tab; where the service cannot be reached it is told as soon as it can be. */
export async function logOut(): Promise<void> {
  localStorage.setItem(OWED, '1')
  announce({ session: 'ended' })
  await sendOwedLogout()
}

/** The service has said that the session is over. */
export function endSession(): void {
  announce({ session: 'expired' })
}

/** Calls back when the session changes, in whichever tab that was decided. */
export function whenSessionChanges(act: (change: SessionChange) => void): void {
  listeners.add(act)
}

/** Sends the logout that the service has not heard of, at once and until it has. */
export function sendOwedLogout(): Promise<void> {
  leaving ??= payLogout().finally(() => {
    leaving = undefined
  })
  return leaving
}

async function payLogout(): Promise<void> {
  if (!localStorage.getItem(OWED)) return
  try {
    await send('/auth/logout', { method: 'POST', body: {} })
  } catch (error) {
    if (!(error instanceof ApiProblem && error.isFinal)) {
      announce({ session: 'owed' })
      setTimeout(() => void sendOwedLogout(), RETRY_MS)
      return
    }
  }
  localStorage.removeItem(OWED)
  if (session === 'owed') announce({ session: 'ended' })
}

/** Asks for the logged-in user. A session that the service does not know at once never reached it. */
async function firstAnswer(): Promise<Announcement> {
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
  become(announcement)
}

function become({ session: next, userId }: Announcement): void {
  const isKnown = userId !== undefined && person !== undefined
  session = next
  clearTimeout(forgetting)
  if (next === 'left') forgetting = setTimeout(() => become({ session: 'ended' }), FORMS_WAIT_MS)
  const who = isKnown ? (userId === person ? 'same' : 'other') : 'unknown'
  for (const listener of listeners) listener({ session, who })
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
