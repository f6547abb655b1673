import { createStore, untilCleared } from '../data/store.ts'

/** The address of a page that shows one lesson or person. */
export type ShownPage =
  | { readonly to: '/' | '/today'; readonly search: { readonly date: string; readonly lesson: string } }
  | { readonly to: '/students'; readonly search: { readonly student: string } }
  | { readonly to: '/instructors'; readonly search: { readonly instructor: string } }

/** The action of a message: a function, or a link. */
export type ToastAction = { readonly label: string } & (
  | { readonly act: () => void; readonly place?: never }
  | { readonly place: ShownPage }
)

export type Toast = {
  readonly id: number
  readonly kind: 'done' | 'problem'
  readonly text: string
  readonly offers?: readonly ToastAction[]
}

const SHOWN_MS = 10_000

const toasts = createStore<readonly Toast[]>([])
let lastId = 0

/** Returns the messages, newest last. */
export const useToasts = toasts.use

/** Shows a message in place of the last one of its kind. */
export function toast(message: Omit<Toast, 'id'>): void {
  lastId += 1
  const id = lastId
  toasts.set([...toasts.get().filter(({ kind }) => kind !== message.kind), { id, ...message }])
  setTimeout(() => dismiss(id), SHOWN_MS)
}

/** Removes the messages of kind `done`, which the next undo or redo makes obsolete. */
export function withdrawDone(): void {
  toasts.set(toasts.get().filter(({ kind }) => kind !== 'done'))
}

/** Removes a message, if it is still there. */
export function dismiss(id: number): void {
  toasts.set(toasts.get().filter((one) => one.id !== id))
}

/** Work in progress and the amount done. */
export type Work = {
  readonly id: number
  readonly text: string
  readonly done: number
  readonly total: number
}

const works = createStore<readonly Work[]>([])

/** Returns the work in progress, oldest first. */
export const useWorks = works.use

/** Runs work and shows its progress until it ends or the user logs out. */
export async function withProgress<T>(
  text: string,
  work: (show: (done: number, total: number) => void) => Promise<T>,
): Promise<T> {
  lastId += 1
  const id = lastId
  const isSameSession = untilCleared()
  const others = () => works.get().filter((one) => one.id !== id)
  const show = (done: number, total: number) => {
    if (isSameSession() && done < total) works.set([...others(), { id, text, done, total }])
  }
  return work(show).finally(() => works.set(others()))
}
