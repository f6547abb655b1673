import { ApiProblem, send } from './send.ts'

let renewing: Promise<boolean> | undefined

/**
 * Renews the session after a request has been answered 401. Whether it lives on: once for all requests of a tab, and one
 * tab at a time, for a refresh token can be used only once.
 */
export function renew(): Promise<boolean> {
  renewing ??= withLock(renewUnlessDone).finally(() => {
    renewing = undefined
  })
  return renewing
}

/** Only the cookies tell at once that another tab was first: what tabs write down for each other may come after the lock. */
async function renewUnlessDone(): Promise<boolean> {
  if (await isAlive()) return true
  const refusal = await refusalOf('/auth/refresh', 'POST')
  // A refresh token that has just been used: another browser window without the lock was first, and its cookies are ours.
  if (refusal?.is('invalid_refresh_token')) return isAlive()
  return !refusal
}

async function isAlive(): Promise<boolean> {
  return (await refusalOf('/auth/me', 'GET')) === undefined
}

/** Only a refusal ends a session; a service that is away, or asks to wait, throws. */
async function refusalOf(path: string, method: 'GET' | 'POST'): Promise<ApiProblem | undefined> {
  try {
    await send(path, { method, body: method === 'POST' ? {} : undefined })
    return undefined
  } catch (error) {
    if (error instanceof ApiProblem && error.isFinal) return error
    throw error
  }
}

/** Browsers have locks only where the address is https or this machine. */
function withLock(work: () => Promise<boolean>): Promise<boolean> {
  return navigator.locks ? navigator.locks.request('fahrplan.session', work) : work()
}
