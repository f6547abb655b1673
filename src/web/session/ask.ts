import { renew } from './renew.ts'
import { ApiProblem, type Question, send, Unreachable } from './send.ts'
import { endSession, hasBegun } from './session.ts'

/**
 * Asks in the user's name: a session that has run out is renewed, once, and the request repeated. While nobody is
 * logged in nothing is sent.
 */
export async function ask(path: string, question: Question = {}): Promise<Response> {
  if (!hasBegun()) throw new Unreachable()
  try {
    return await send(path, question)
  } catch (error) {
    if (!isUnauthenticated(error)) throw error
    if (await renew()) return await send(path, question)
    endSession()
    throw error
  }
}

export async function askFor<T>(path: string, question: Question = {}): Promise<T> {
  const answer = await ask(path, question)
  return answer.json()
}

function isUnauthenticated(error: unknown): boolean {
  return error instanceof ApiProblem && error.is('unauthenticated')
}
