import { outliveLogout } from '../data/session.ts'
import { createStore } from '../data/store.ts'
import { changeStored, drop, read } from './device.ts'

type Drafts<T> = ReadonlyMap<string, T>
type StoredDrafts<T> = { readonly user_id: string; readonly drafts: Drafts<T> }

/** Creates a map of unsaved input that is kept on the page and, for its user, on the device: a phone may close the app at any time. */
export function createDeviceDrafts<T>(name: string) {
  const store = createStore<Drafts<T>>(new Map())
  let owner: string | undefined
  outliveLogout(() => store.get().size > 0)

  return {
    name,
    use: store.use,
    get: store.get,
    /** Reads a user's drafts from the device, and deletes those of another user. */
    async load(user_id: string): Promise<void> {
      if (owner !== user_id) store.set(new Map())
      owner = user_id
      const kept = await read<StoredDrafts<T>>(name)
      if (kept && kept.user_id !== user_id) await drop([name])
      else if (kept && owner === user_id) store.set(new Map([...kept.drafts, ...store.get()]))
    },
    forget(): void {
      owner = undefined
      store.set(new Map())
    },
    put(key: string, draft: T | undefined): void {
      const changed = (before: Drafts<T>) => {
        const next = new Map(before)
        if (draft === undefined) next.delete(key)
        else next.set(key, draft)
        return next
      }
      store.set(changed(store.get()))
      const user_id = owner
      if (user_id === undefined) return
      void changeStored<StoredDrafts<T>>(name, (kept) => ({
        user_id,
        drafts: changed(kept?.user_id === user_id ? kept.drafts : new Map()),
      })).then(() => (owner === user_id ? undefined : drop([name])))
    },
  }
}
