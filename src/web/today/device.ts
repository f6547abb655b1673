import { createStore, del, entries, get, set, update } from 'idb-keyval'

/** The only store of an instructor's day in the browser. */
const STORE = createStore('fahrplan.day', 'kept')

/** Marks that the store has content, readable before the first paint. The owner is stored inside. */
export const MARK = 'fahrplan.kept'

/** Replaces the mark: the content must not be shown any more and is deleted at the next start. */
export const GONE = 'gone'

/** Returns the value of a key; undefined if there is none, or if the browser stores nothing. */
export function read<T>(key: string): Promise<T | undefined> {
  return get<T>(key, STORE).catch(() => undefined)
}

/** Returns all values by key. */
export function readAll(): Promise<readonly [string, unknown][]> {
  return entries<string, unknown>(STORE).catch(() => [])
}

/** Stores a value. If the browser cannot, only the page has it. */
export async function keep(key: string, value: unknown): Promise<void> {
  localStorage.setItem(MARK, '1')
  await set(key, value, STORE).catch(() => undefined)
}

/** Changes a stored value atomically across tabs and returns it. */
export async function changeStored<T>(
  key: string,
  changed: (kept: T | undefined) => T,
): Promise<T | undefined> {
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

export async function drop(keys: readonly string[]): Promise<void> {
  await Promise.all(keys.map((key) => del(key, STORE).catch(() => undefined)))
}
