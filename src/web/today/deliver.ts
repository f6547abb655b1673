import { ApiProblem, Unreachable } from '../session/send.ts'
import { createStore } from '../ui/store.ts'

/** Between two tries, where the browser does not say that the network is back. */
const PAUSE_MS = 5_000

const waiting = createStore<ReadonlySet<object>>(new Set())

/** What has been pressed and could not be sent yet. */
export const useWaiting = waiting.use

/**
 * Does what has to reach the service as often as it takes; throws what the service refuses it with. Who has logged out, or
 * given way to another user, sends nothing any more.
 */
export async function deliver<T>(work: () => Promise<T>): Promise<T> {
  const entry = {}
  try {
    return await work()
  } catch (error) {
    if (!isAway(error)) throw error
  }
  waiting.set(new Set(waiting.get()).add(entry))
  try {
    return await again(work, entry)
  } finally {
    waiting.set(new Set([...waiting.get()].filter((one) => one !== entry)))
  }
}

async function again<T>(work: () => Promise<T>, entry: object): Promise<T> {
  for (;;) {
    await nextChance()
    if (!waiting.get().has(entry)) throw new Unreachable()
    try {
      return await work()
    } catch (error) {
      if (!isAway(error)) throw error
    }
  }
}

function nextChance(): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      clearTimeout(timer)
      window.removeEventListener('online', go)
      resolve()
    }
    const timer = setTimeout(go, PAUSE_MS)
    window.addEventListener('online', go)
  })
}

function isAway(error: unknown): boolean {
  return error instanceof Unreachable || (error instanceof ApiProblem && error.is('unavailable'))
}
