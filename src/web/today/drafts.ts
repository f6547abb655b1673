import type { QueryClient } from '@tanstack/react-query'
import type { Appointment } from '../../contract/appointment.ts'
import { changeAppointment } from '../api/appointments.ts'
import { inOrder } from '../api/in-order.ts'
import { currentIn } from '../ui/problem-words.ts'
import { createStore } from '../ui/store.ts'
import { deliver } from './deliver.ts'

/** Notes as they are typed. They outlive a look at another lesson or day. */
export type Draft = {
  /** The lesson as it was seen when the typing began. */
  readonly seen: Appointment
  readonly text: string
  readonly isSending?: boolean
  /** The lesson as somebody else has left it, with other notes. */
  readonly theirs?: Appointment | undefined
  readonly error?: unknown
}

const drafts = createStore<ReadonlyMap<string, Draft>>(new Map())

/** All that is typed and not saved, by the lesson's id. */
export const useDrafts = drafts.use

/** Notes that are typed; what stands there anyway is no draft. */
export function type(lesson: Appointment, text: string): void {
  const draft = { seen: lesson, ...drafts.get().get(lesson.id), text, error: undefined }
  if (draft.theirs || text !== notesOf(draft.seen)) put(draft)
  else discard(lesson.id)
}

export function discard(id: string): void {
  const rest = new Map(drafts.get())
  rest.delete(id)
  drafts.set(rest)
}

/** Saves a draft; where it cannot be saved it stays, with the reason. Whether it is saved. */
export async function save(draft: Draft, client: QueryClient): Promise<boolean> {
  const { seen, text } = draft
  put({ seen, text, isSending: true })
  try {
    await inOrder(seen, (latest) => {
      const base = latest.notes === seen.notes ? latest : seen
      return deliver(() => changeNotes(base, text.trim() === '' ? null : text, client))
    })
    discard(seen.id)
    return true
  } catch (error) {
    const theirs = currentIn(error)
    // The next person at this browser has drafts of their own.
    if (drafts.get().has(seen.id)) put({ seen, text, theirs, error: theirs ? undefined : error })
    return false
  }
}

export function notesOf({ notes }: Pick<Appointment, 'notes'>): string {
  return notes ?? ''
}

/** What others change of the lesson meanwhile stays; throws `Stale` where it is the notes. */
async function changeNotes(
  seen: Appointment,
  notes: string | null,
  client: QueryClient,
): Promise<Appointment> {
  try {
    return await changeAppointment({ seen, change: { notes } }, { client })
  } catch (error) {
    const current = currentIn(error)
    // An earlier request may have done it whose answer was lost.
    if (current?.notes === notes) return current
    if (current?.notes !== seen.notes || !current) throw error
    return changeNotes(current, notes, client)
  }
}

function put(draft: Draft): void {
  drafts.set(new Map(drafts.get()).set(draft.seen.id, draft))
}
