import { createStore } from '../data/store.ts'

/** A page that shows one thing. */
export type Place =
  | { readonly to: '/' | '/today'; readonly search: { readonly date: string; readonly lesson: string } }
  | { readonly to: '/students'; readonly search: { readonly student: string } }
  | { readonly to: '/instructors'; readonly search: { readonly instructor: string } }

/** The action of a message: a function, or a link. */
export type Offer = { readonly words: string } & (
  | { readonly act: () => void; readonly place?: never }
  | { readonly place: Place }
)

export type Toast = {
  readonly id: number
  readonly kind: 'done' | 'problem'
  readonly text: string
  readonly offers?: readonly Offer[]
}

const SHOWN_MS = 10_000

const toasts = createStore<readonly Toast[]>([])
let lastId = 0

/** Newest last. */
export const useToasts = toasts.use

/** Shows a message in place of the last one of its kind. */
export function toast(message: Omit<Toast, 'id'>): void {
  lastId += 1
  const id = lastId
  toasts.set([...toasts.get().filter(({ kind }) => kind !== message.kind), { id, ...message }])
  setTimeout(() => dismiss(id), SHOWN_MS)
}

/** Removes messages about something that was done and no longer is. */
export function withdrawDone(): void {
  toasts.set(toasts.get().filter(({ kind }) => kind !== 'done'))
}

/** Removes a message, if it is still there. */
export function dismiss(id: number): void {
  toasts.set(toasts.get().filter((one) => one.id !== id))
}
