import { ApiProblem, send } from '../api/send.ts'

/** When any tab has last renewed the session: a time, never a token. The tokens are where no script reads. */
const RENEWED_AT = 'fahrplan.renewed_at'

let renewing: Promise<boolean> | undefined

/**
 * Renews the session after a request that was sent at `sentAt` has been answered 401. Whether it lives on: once for all
 * requests of a tab, and one tab at a time, for a refresh token can be used only once.
 */
export function renew(sentAt: number): Promise<boolean> {
  renewing ??= withLock(() => renewUnlessDone(sentAt)).finally(() => {
    renewing = undefined
  })
  return renewing
}

async function renewUnlessDone(sentAt: number): Promise<boolean> {
  const renewedAt = Number(localStorage.getItem(RENEWED_AT) ?? 0)
  // A clock that has been set back must not make an old renewal look new for ever.
  if (sentAt < renewedAt && renewedAt <= Date.now()) return true
  const refusal = await refusalOf('/auth/refresh', 'POST')
  if (!refusal) noteRenewal()
  // A refresh token that has just been used: another browser window without the lock was first, and its cookies are ours.
  if (refusal?.is('invalid_refresh_token')) return (await refusalOf('/auth/me', 'GET')) === undefined
  return !refusal
}

/** Tells the tabs that wait that the cookies are new. */
export function noteRenewal(): void {
  localStorage.setItem(RENEWED_AT, String(Date.now()))
}

/** Only a refusal ends a session; a service that is away, or asks to wait, throws. */
async function refusalOf(path: string, method: 'GET' | 'POST'): Promise<ApiProblem | undefined> {
  try {
    await send(path, { method, body: method === 'POST' ? {} : undefined })
    return undefined
  } catch (error) {
    if (error instanceof ApiProblem && error.body.status < 429) return error
    throw error
  }
}

/** Browsers have locks only where the address is https or this machine. */
function withLock(work: () => Promise<boolean>): Promise<boolean> {
  return navigator.locks ? navigator.locks.request('fahrplan.session', work) : work()
}
