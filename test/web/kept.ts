import type { Page } from 'playwright-core'

/** Returns the kind of each entry that the browser has stored about the day. */
export async function keptIn(page: Page): Promise<readonly string[]> {
  const keys: string[] = JSON.parse(await ask(page, 'getAllKeys'))
  return keys.map((key) => (key.startsWith('[') ? JSON.parse(key)[0] : key))
}

/** Returns the store's content as text. */
export function keptTextIn(page: Page): Promise<string> {
  return ask(page, 'getAll')
}

function ask(page: Page, what: 'getAllKeys' | 'getAll'): Promise<string> {
  return page.evaluate<string>(`new Promise((resolve) => {
    const opening = indexedDB.open('fahrplan.day')
    opening.onsuccess = () => {
      const { result } = opening
      const isThere = result.objectStoreNames.contains('kept')
      if (!isThere) { result.close(); return resolve('[]') }
      const asking = result.transaction('kept').objectStore('kept').${what}()
      asking.onsuccess = () => { result.close(); resolve(JSON.stringify(asking.result)) }
    }
  })`)
}
