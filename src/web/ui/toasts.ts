import { useSyncExternalStore } from 'react'

/** A short message; `undo` takes back what it tells of. */
export type Toast = {
  readonly id: number
  readonly kind: 'done' | 'problem'
  readonly text: string
  readonly undo?: () => Promise<unknown>
}

const SHOWN_MS = 10_000

let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()

/** Shows a message in place of the last one of its kind. */
export function toast(message: Omit<Toast, 'id'>): void {
  lastId += 1
  const id = lastId
  become([...toasts.filter(({ kind }) => kind !== message.kind), { id, ...message }])
  setTimeout(() => dismiss(id), SHOWN_MS)
}

export function dismiss(id: number): void {
  become(toasts.filter((one) => one.id !== id))
}

/** Takes back the newest thing that can be. */
export function undoLatest(): void {
  const latest = toasts.findLast(({ undo }) => undo)
  if (latest) undo(latest)
}

export function undo({ id, undo }: Toast): void {
  dismiss(id)
  void undo?.()
}

export function useToasts(): readonly Toast[] {
  return useSyncExternalStore(subscribe, () => toasts)
}

function become(next: readonly Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
