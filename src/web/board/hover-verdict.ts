import { useSyncExternalStore } from 'react'
import type { Draft, Verdict } from './verdict.ts'

/** What is held over the board, and what the rules say of it there. */
export type Hover = { readonly draft: Draft; readonly verdict: Verdict | undefined }

let hover: Hover | undefined
const listeners = new Set<() => void>()

export function setHover(next: Hover | undefined): void {
  hover = next
  for (const listener of listeners) listener()
}

export function useHover(): Hover | undefined {
  return useSyncExternalStore(subscribe, () => hover)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
