import { withBrowserLock } from './browser-lock.ts'
import { ApiProblem, send } from './send.ts'

let renewing: Promise<boolean> | undefined

/** Renews the session after a 401, one tab at a time, because refresh tokens work once. Returns whether it is valid. */
export function renew(): Promise<boolean> {
  renewing ??= withBrowserLock('fahrplan.session', renewUnlessDone).finally(() => {
    renewing = undefined
  })
  return renewing
}

/** Renews the session unless its cookies already work: other storage may show too late that another tab has renewed it. */
async function renewUnlessDone(): Promise<boolean> {
  if (await isAlive()) return true
  const refusal = await refusalOf('/auth/refresh', 'POST')
  // Another window may have renewed it without the lock; the browser shares the cookies.
  if (refusal?.is('invalid_refresh_token')) return isAlive()
  return !refusal
}

async function isAlive(): Promise<boolean> {
  return (await refusalOf('/auth/me', 'GET')) === undefined
}

/** Sends a request and returns the error if a retry would fail too; undefined on success. Throws other errors. */
async function refusalOf(path: string, method: 'GET' | 'POST'): Promise<ApiProblem | undefined> {
  try {
    await send(path, { method, body: method === 'POST' ? {} : undefined })
    return undefined
  } catch (error) {
    if (error instanceof ApiProblem && error.isFinal) return error
    throw error
  }
}
