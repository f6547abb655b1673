import { renew } from './renew.ts'
import { ApiProblem, bodyOf, type SendOptions, send, Unreachable } from './send.ts'
import { endSession, hasBegun } from './session.ts'

const refused: (() => void)[] = []

/** Registers a callback for `forbidden` responses: the role has probably changed. */
export function whenForbidden(act: () => void): void {
  refused.push(act)
}

/** Sends a user's request. Renews an expired session once. Throws `ApiProblem` or `Unreachable`. */
export async function fetchApi(path: string, options: SendOptions = {}): Promise<Response> {
  if (!hasBegun()) throw new Unreachable()
  try {
    return await sendOrRenew(path, options)
  } catch (error) {
    if (hasCode(error, 'forbidden')) for (const act of refused) act()
    throw error
  }
}

async function sendOrRenew(path: string, options: SendOptions): Promise<Response> {
  try {
    return await send(path, options)
  } catch (error) {
    if (!hasCode(error, 'unauthenticated')) throw error
    if (await renew()) return await send(path, options)
    endSession()
    throw error
  }
}

export async function fetchJson<T>(path: string, options: SendOptions = {}): Promise<T> {
  return bodyOf(await fetchApi(path, options), options.signal)
}

function hasCode(error: unknown, code: 'forbidden' | 'unauthenticated'): boolean {
  return error instanceof ApiProblem && error.is(code)
}
