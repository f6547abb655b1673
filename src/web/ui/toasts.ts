import { createStore } from './store.ts'

/** A short message; `undo` takes back what it tells of, and returns whether it could; `find` looks for what would be possible. */
export type Toast = {
  readonly id: number
  readonly kind: 'done' | 'problem'
  readonly text: string
  readonly undo?: () => Promise<boolean>
  readonly find?: () => void
}

const SHOWN_MS = 10_000

const toasts = createStore<readonly Toast[]>([])
let lastId = 0

export const useToasts = toasts.use

/** Shows a message in place of the last one of its kind. */
export function toast(message: Omit<Toast, 'id'>): void {
  lastId += 1
  const id = lastId
  toasts.set([...toasts.get().filter(({ kind }) => kind !== message.kind), { id, ...message }])
  setTimeout(() => dismiss(id), SHOWN_MS)
}

export function dismiss(id: number): void {
  toasts.set(toasts.get().filter((one) => one.id !== id))
}

/** Takes back the newest thing that can be. */
export function undoLatest(): void {
  const latest = toasts.get().findLast((one) => one.undo)
  if (latest) void undo(latest)
}

/** What could not be taken back, because the service is away or another clerk was first, can be tried again. */
export async function undo({ id, kind, text, undo: takeBack }: Toast): Promise<void> {
  dismiss(id)
  if (!takeBack || (await takeBack())) return
  const isOvertaken = toasts.get().some((one) => one.kind === kind)
  if (!isOvertaken) toast({ kind, text, undo: takeBack })
}
