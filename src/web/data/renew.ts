import { withBrowserLock } from './browser-lock.ts'
import { ApiProblem, send } from './send.ts'

let renewing: Promise<boolean> | undefined

/** Renews the session after a 401, one tab at a time, because refresh tokens work once. Returns whether it lives. */
export function renew(): Promise<boolean> {
  renewing ??= withBrowserLock('fahrplan.session', renewUnlessDone).finally(() => {
    renewing = undefined
  })
  return renewing
}

/** Only cookies show at once that another tab was first: other storage may update after the lock. */
async function renewUnlessDone(): Promise<boolean> {
  if (await isAlive()) return true
  const refusal = await refusalOf('/auth/refresh', 'POST')
  // Another window without the lock was first, and its cookies are ours.
  if (refusal?.is('invalid_refresh_token')) return isAlive()
  return !refusal
}

async function isAlive(): Promise<boolean> {
  return (await refusalOf('/auth/me', 'GET')) === undefined
}

/** Only a refusal ends a session. Throws if the service is away or asks to wait. */
async function refusalOf(path: string, method: 'GET' | 'POST'): Promise<ApiProblem | undefined> {
  try {
    await send(path, { method, body: method === 'POST' ? {} : undefined })
    return undefined
  } catch (error) {
    if (error instanceof ApiProblem && error.isFinal) return error
    throw error
  }
}
