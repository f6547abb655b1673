import type { QueryClient } from '@tanstack/react-query'
import type { Appointment } from '../../contract/appointment.ts'
import { changeAppointment } from '../api/appointments.ts'
import { inOrder } from '../api/in-order.ts'
import type { Edit } from '../api/writes.ts'
import { currentIn } from '../ui/problem-words.ts'
import { createStore } from '../ui/store.ts'
import { deliver } from './deliver.ts'
import type { Noted } from './noted.ts'

/** What is written as text: what is to be known of the lesson, and what was practised in it. */
export type TextField = 'notes' | 'practised'

/** A text as it is typed. It outlives a look at another lesson or day. */
export type Draft = {
  readonly field: TextField
  /** The lesson as it was seen when the typing began. */
  readonly seen: Appointment
  readonly text: string
  readonly isSending?: boolean
  /** The lesson as somebody else has left it, with another text. */
  readonly theirs?: Appointment | undefined
  readonly error?: unknown
}

const drafts = createStore<ReadonlyMap<string, Draft>>(new Map())

/** All that is typed and not saved, by the key of the lesson's field. */
export const useDrafts = drafts.use

/** The key of a draft. */
export function keyOf({ id }: Pick<Appointment, 'id'>, field: TextField): string {
  return `${id} ${field}`
}

/** A text that is typed; what stands there anyway is no draft. */
export function type(lesson: Appointment, field: TextField, text: string): void {
  const known = drafts.get().get(keyOf(lesson, field))
  const draft = { seen: lesson, ...known, field, text, error: undefined }
  if (draft.theirs || text !== textOf(draft.seen, field)) put(draft)
  else discard(draft)
}

export function discard({ seen, field }: Draft): void {
  const rest = new Map(drafts.get())
  rest.delete(keyOf(seen, field))
  drafts.set(rest)
}

/** Saves a draft; where it cannot be saved it stays, with the reason. Whether it is saved. */
export async function save(draft: Draft, client: QueryClient): Promise<boolean> {
  const { seen, field, text } = draft
  put({ seen, field, text, isSending: true })
  try {
    await inOrder(seen, (latest) => {
      const base = latest[field] === seen[field] ? latest : seen
      const change = { [field]: text.trim() === '' ? null : text.trim() }
      return deliver(() => changeText({ seen: base, change }, field, client))
    })
    discard(draft)
    return true
  } catch (error) {
    const theirs = currentIn(error)
    // The next person at this browser has drafts of their own.
    if (drafts.get().has(keyOf(seen, field)))
      put({ seen, field, text, theirs, error: theirs ? undefined : error })
    return false
  }
}

/** What stands in a field of a lesson. */
export function textOf(lesson: Pick<Appointment, TextField>, field: TextField): string {
  return lesson[field] ?? ''
}

/** What others change of the lesson meanwhile stays; throws `Stale` where it is this text. */
async function changeText(
  edit: Edit<Appointment, Noted>,
  field: TextField,
  client: QueryClient,
): Promise<Appointment> {
  const { seen, change } = edit
  try {
    return await changeAppointment(edit, { client })
  } catch (error) {
    const current = currentIn(error)
    // An earlier request may have done it whose answer was lost.
    if (current && current[field] === change[field]) return current
    if (!current || current[field] !== seen[field]) throw error
    return changeText({ seen: current, change }, field, client)
  }
}

function put(draft: Draft): void {
  drafts.set(new Map(drafts.get()).set(keyOf(draft.seen, draft.field), draft))
}
