import { createStore } from './store.ts'

/** A write to show before it is stored: the row's id, and its change, perhaps derived from the row, or deletion. */
export type PendingWrite = {
  readonly id: string
  readonly change: object | 'deleted' | ((row: object) => object)
}

const expected = createStore<readonly PendingWrite[]>([])

/** The writes to show before they are stored, in order. */
export const usePendingWrites = expected.use

/** Shows writes over the stored rows. Returns a function that stops this. */
export function showPendingWrites(writes: readonly PendingWrite[]): () => void {
  expected.set([...expected.get(), ...writes])
  return () => expected.set(expected.get().filter((one) => !writes.includes(one)))
}

/** Returns the rows as they will be if every pending write succeeds. */
export function withExpected<T extends { readonly id: string }>(
  rows: readonly T[],
  writes = expected.get(),
): readonly T[] {
  if (writes.length === 0) return rows
  return rows.flatMap((row) => {
    const shown = { ...row }
    for (const { id, change } of writes) {
      if (id !== row.id) continue
      if (change === 'deleted') return []
      Object.assign(shown, typeof change === 'function' ? change(shown) : change)
    }
    return [shown]
  })
}
