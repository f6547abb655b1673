import type { Connection } from './connect.ts'
import { followChanges } from './generated/sdk.gen.ts'
import type { ChangesSince } from './generated/types.gen.ts'

/** The settings of following the changes of a school. */
export type FollowOptions = {
  readonly client: Connection
  /** The cursor of the last response that was worked through; without it the changes from now on. */
  readonly cursor?: string
  /** The time between two requests that found nothing, in milliseconds; 5,000 by default. */
  readonly everyMs?: number
  /** Ends the following. */
  readonly signal?: AbortSignal
}

/** The ids that are remembered: a change comes twice only within a short time. */
const REMEMBERED = 10_000

/**
 * Returns the changes of the school as they happen, each once. Store `cursor` after you have worked through `changes`:
 * the next call with it goes on there, so that nothing is missed after a stop. Ends when the signal aborts.
 */
export async function* follow(options: FollowOptions): AsyncGenerator<ChangesSince, void, undefined> {
  const { client, everyMs = 5_000, signal } = options
  const seen = new Set<string>()
  let { cursor } = options
  while (!signal?.aborted) {
    const page: ChangesSince = await followChanges({ client, query: { cursor }, signal })
    const changes = page.changes.filter(({ id }) => !seen.has(id))
    for (const { id } of changes) seen.add(id)
    for (const id of seen) {
      if (seen.size <= REMEMBERED) break
      seen.delete(id)
    }
    const isFirst = cursor === undefined
    cursor = page.cursor
    if (changes.length > 0 || isFirst) yield { changes, cursor }
    if (changes.length === 0) await pause(everyMs, signal)
  }
}

/** Waits, or less if the signal aborts. */
function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    signal?.addEventListener('abort', done, { once: true })
  })
}
