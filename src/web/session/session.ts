import { useSyncExternalStore } from 'react'
import { send } from '../api/send.ts'

/**
 * `begun` may still turn out to have ended: only an answer of the service knows. `not_kept`: the browser has thrown the
 * cookies away.
 */
type Session = 'begun' | 'ended' | 'not_kept'

/** A session that the service does not know so soon after a login has never reached it. */
const SOON_MS = 5_000

let session: Session = 'begun'
let loggedInAt = Number.NEGATIVE_INFINITY
const listeners = new Set<() => void>()
const siblings = new BroadcastChannel('fahrplan.session')
siblings.onmessage = ({ data }) => become(data)

/** The session of this browser, the same in all its tabs. */
export function useSession(): Session {
  return useSyncExternalStore(subscribe, () => session)
}

export async function logIn(email: string, password: string): Promise<void> {
  await send('/auth/login', { method: 'POST', body: { email, password } })
  loggedInAt = performance.now()
  announce('begun')
}

/** Ends the session in every tab, also where the service cannot be reached to end its own part. */
export async function logOut(): Promise<void> {
  try {
    await send('/auth/logout', { method: 'POST', body: {} })
  } finally {
    announce('ended')
  }
}

/** The service has said that the session is over. */
export function endSession(): void {
  become(performance.now() - loggedInAt < SOON_MS ? 'not_kept' : 'ended')
}

function announce(next: Session): void {
  siblings.postMessage(next)
  become(next)
}

function become(next: Session): void {
  session = next
  for (const listener of listeners) listener()
}

/** Calls back when a session begins or ends, in whichever tab: what was read before may be another school's. */
export function whenSessionChanges(forget: (session: Session) => void): void {
  subscribe(() => forget(session))
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
