import { renew } from './renew.ts'
import { ApiProblem, type SendOptions, send, Unreachable } from './send.ts'
import { endSession, hasBegun } from './session.ts'

/**
 * Asks in the user's name: a session that has run out is renewed, once, and the request repeated. While nobody is
 * logged in nothing is sent.
 */
export async function ask(path: string, options: SendOptions = {}): Promise<Response> {
  if (!hasBegun()) throw new Unreachable()
  try {
    return await send(path, options)
  } catch (error) {
    if (!isUnauthenticated(error)) throw error
    if (await renew()) return await send(path, options)
    endSession()
    throw error
  }
}

export async function askFor<T>(path: string, options: SendOptions = {}): Promise<T> {
  const answer = await ask(path, options)
  return answer.json()
}

function isUnauthenticated(error: unknown): boolean {
  return error instanceof ApiProblem && error.is('unauthenticated')
}
