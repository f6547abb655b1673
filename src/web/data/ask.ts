import { renew } from './renew.ts'
import { ApiProblem, type SendOptions, send, Unreachable } from './send.ts'
import { endSession, hasBegun } from './session.ts'

const refused: (() => void)[] = []

/** Calls back when the role may not do what was asked for: mostly it is another one than the page knows of. */
export function whenForbidden(act: () => void): void {
  refused.push(act)
}

/**
 * Asks in the user's name: a session that has run out is renewed, once, and the request repeated. While nobody is
 * logged in nothing is sent. Throws `ApiProblem` or `Unreachable`.
 */
export async function ask(path: string, options: SendOptions = {}): Promise<Response> {
  if (!hasBegun()) throw new Unreachable()
  try {
    return await askOrRenew(path, options)
  } catch (error) {
    if (is(error, 'forbidden')) for (const act of refused) act()
    throw error
  }
}

async function askOrRenew(path: string, options: SendOptions): Promise<Response> {
  try {
    return await send(path, options)
  } catch (error) {
    if (!is(error, 'unauthenticated')) throw error
    if (await renew()) return await send(path, options)
    endSession()
    throw error
  }
}

export async function askFor<T>(path: string, options: SendOptions = {}): Promise<T> {
  const answer = await ask(path, options)
  return answer.json()
}

function is(error: unknown, code: 'forbidden' | 'unauthenticated'): boolean {
  return error instanceof ApiProblem && error.is(code)
}
