import { createStore, del, entries, get, set, update } from 'idb-keyval'

/** The one place in the browser where an instructor's day is kept. */
const STORE = createStore('fahrplan.day', 'kept')

/** The mark that the store has content, to be read before the first paint. The owner is stored inside. */
export const MARK = 'fahrplan.kept'

/** In the place of the mark: what is there must not be shown any more, and goes when the app is opened next. */
export const GONE = 'gone'

/** Returns the value of a key; undefined if there is none, or if the browser stores nothing. */
export function read<T>(key: string): Promise<T | undefined> {
  return get<T>(key, STORE).catch(() => undefined)
}

/** Returns all values, by key. */
export function readAll(): Promise<readonly [string, unknown][]> {
  return entries<string, unknown>(STORE).catch(() => [])
}

/** Keeps a value. A browser that cannot goes on without: then only the page itself holds it. */
export async function keep(key: string, value: unknown): Promise<void> {
  localStorage.setItem(MARK, '1')
  await set(key, value, STORE).catch(() => undefined)
}

/** Changes what is kept under a key, as one step among those of all tabs; gives what is kept then. */
export async function change<T>(key: string, changed: (kept: T | undefined) => T): Promise<T | undefined> {
  localStorage.setItem(MARK, '1')
  let result: T | undefined
  await update<T>(
    key,
    (kept) => {
      result = changed(kept)
      return result
    },
    STORE,
  ).catch(() => undefined)
  return result
}

/** Throws away what is kept under these keys. */
export async function drop(keys: readonly string[]): Promise<void> {
  await Promise.all(keys.map((key) => del(key, STORE).catch(() => undefined)))
}
