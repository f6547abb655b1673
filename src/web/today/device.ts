import { createStore, del, entries, get, set, update } from 'idb-keyval'

/** The only store of an instructor's day in the browser. */
const STORE = createStore('fahrplan.day', 'kept')

/** The `localStorage` key set while the store has content, readable before the first paint. The owner is in the store. */
export const MARK = 'fahrplan.kept'

/** The value of `MARK` if the content must no longer be shown. It is deleted at the next start. */
export const GONE = 'gone'

/** Returns the value of a key; undefined if there is none, or if the browser stores nothing. */
export function read<T>(key: string): Promise<T | undefined> {
  return get<T>(key, STORE).catch(() => undefined)
}

/** Returns all values by key. */
export function readAll(): Promise<readonly [string, unknown][]> {
  return entries<string, unknown>(STORE).catch(() => [])
}

/** Stores a value, if the browser can. */
export async function keep(key: string, value: unknown): Promise<void> {
  localStorage.setItem(MARK, '1')
  await set(key, value, STORE).catch(() => undefined)
}

/** Changes a stored value atomically across tabs and returns it; undefined if the browser could not store it. */
export async function changeStored<T>(
  key: string,
  changed: (kept: T | undefined) => T,
): Promise<T | undefined> {
  localStorage.setItem(MARK, '1')
  let result: T | undefined
  const change = (kept: T | undefined) => {
    result = changed(kept)
    return result
  }
  return update<T>(key, change, STORE).then(
    () => result,
    () => undefined,
  )
}

export async function drop(keys: readonly string[]): Promise<void> {
  await Promise.all(keys.map((key) => del(key, STORE).catch(() => undefined)))
}
