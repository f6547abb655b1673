import { useSyncExternalStore } from 'react'

const resets: (() => void)[] = []

/** Creates a value outside React that components can subscribe to. */
export function createStore<T>(initial: T) {
  let value = initial
  const listeners = new Set<() => void>()
  const set = (next: T) => {
    value = next
    for (const listener of listeners) listener()
  }
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  resets.push(() => set(initial))
  return { get: () => value, set, use: () => useSyncExternalStore(subscribe, () => value) }
}

let clearings = 0

/** Clears all stores, so that the next user sees no data of the previous one. */
export function resetStores(): void {
  clearings += 1
  for (const reset of resets) reset()
}

/** Returns a function that checks that no store has been cleared since: a response may arrive after the logout. */
export function untilCleared(): () => boolean {
  const before = clearings
  return () => clearings === before
}
