import type { Appointment } from '../../contract/appointment.ts'
import { createStore } from '../ui/store.ts'
import { say } from './outbox.ts'

/** What is written as text: what is to be known of the lesson, and what was practised in it. */
export type TextField = 'notes' | 'practised'

/** A text as it is typed. It outlives a look at another lesson or day. */
export type Draft = {
  readonly field: TextField
  /** The lesson as it was seen when the typing began. */
  readonly seen: Appointment
  readonly text: string
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
  const { seen = lesson } = drafts.get().get(keyOf(lesson, field)) ?? {}
  const draft = { seen, field, text }
  if (text === textOf(seen, field)) discard(draft)
  else drafts.set(new Map(drafts.get()).set(keyOf(lesson, field), draft))
}

export function discard({ seen, field }: Draft): void {
  const rest = new Map(drafts.get())
  rest.delete(keyOf(seen, field))
  drafts.set(rest)
}

/** Saves a draft: from here on it is on its way, over what was seen when the typing began. */
export async function save(draft: Draft): Promise<void> {
  const { seen, field, text } = draft
  const said = { [field]: text.trim() === '' ? null : text.trim() }
  await say(seen, said)
  const key = keyOf(seen, field)
  const typed = drafts.get().get(key)
  if (typed === draft) discard(draft)
  // What was typed on meanwhile is still to be saved, over what has just been said.
  else if (typed) drafts.set(new Map(drafts.get()).set(key, { ...typed, seen: { ...typed.seen, ...said } }))
}

/** What stands in a field of a lesson. */
export function textOf(lesson: Pick<Appointment, TextField>, field: TextField): string {
  return lesson[field] ?? ''
}
