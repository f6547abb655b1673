import type { Appointment } from '../../contract/appointment.ts'
import { NOTES_LENGTH } from '../../domain/ranges.ts'
import { withExpected } from '../data/pending-writes.ts'
import { outliveLogout } from '../data/session.ts'
import { createStore } from '../data/store.ts'
import { lengthOf } from '../ui/use-length.ts'
import { changeStored, drop, read } from './device.ts'
import { recordEntry } from './outbox.ts'
import type { Outcome } from './outcome.ts'

export const DRAFTS = 'drafts'

/** The text fields of a lesson. */
export type OutcomeTextField = 'notes' | 'practised'

/** A text being typed, kept while another lesson or day is shown. */
export type TextDraft = {
  readonly field: OutcomeTextField
  /** The lesson when typing began. */
  readonly seen: Appointment
  readonly text: string
}

type Kept = { readonly user_id: string; readonly drafts: ReadonlyMap<string, TextDraft> }

const drafts = createStore<ReadonlyMap<string, TextDraft>>(new Map())

/** The user whose drafts are shown. */
let owner: string | undefined

/** Reads a user's drafts from the device, and deletes those of another user. */
export async function loadDrafts(user_id: string): Promise<void> {
  if (owner !== user_id) drafts.set(new Map())
  owner = user_id
  const kept = await read<Kept>(DRAFTS)
  if (kept && kept.user_id !== user_id) await drop([DRAFTS])
  else if (kept && owner === user_id) drafts.set(new Map([...kept.drafts, ...drafts.get()]))
}

/** Clears the drafts on the page, as at logout. */
export function forgetDrafts(): void {
  owner = undefined
  drafts.set(new Map())
}

/** Sets or deletes a draft on the page and on the device, because a phone may close the app at any time. */
function put(key: string, draft: TextDraft | undefined): void {
  const changed = (before: ReadonlyMap<string, TextDraft>) => {
    const next = new Map(before)
    if (draft) next.set(key, draft)
    else next.delete(key)
    return next
  }
  drafts.set(changed(drafts.get()))
  const user_id = owner
  if (user_id === undefined) return
  void changeStored<Kept>(DRAFTS, (kept) => ({
    user_id,
    drafts: changed(kept?.user_id === user_id ? kept.drafts : new Map()),
  })).then(() => (owner === user_id ? undefined : drop([DRAFTS])))
}

outliveLogout(() => drafts.get().size > 0)

/** The unsaved texts, by lesson and field. */
export const useDrafts = drafts.use

export function keyOf({ id }: Pick<Appointment, 'id'>, field: OutcomeTextField): string {
  return `${id} ${field}`
}

/** Stores a typed text as a draft, unless it equals the saved one. */
export function type(lesson: Appointment, field: OutcomeTextField, text: string): void {
  const { seen = lesson } = drafts.get().get(keyOf(lesson, field)) ?? {}
  const draft = { seen, field, text }
  if (text === draftTextFor(seen, field)) discard(draft)
  else put(keyOf(lesson, field), draft)
}

export function discard({ seen, field }: TextDraft): void {
  put(keyOf(seen, field), undefined)
}

/** Sends a draft, based on the lesson when typing began. */
export async function save(draft: TextDraft): Promise<void> {
  const { seen, field, text } = draft
  const said = textIn({ field, text })
  const key = keyOf(seen, field)
  await recordEntry(seen, said, () => {
    const typed = drafts.get().get(key)
    if (typed === draft) discard(draft)
    // Text typed meanwhile becomes a draft based on the saved text.
    else if (typed) put(key, { ...typed, seen: { ...typed.seen, ...said } })
  })
}

const FIELDS: readonly OutcomeTextField[] = ['notes', 'practised']

/** Records how a lesson went, with its drafts. A text that is too long, or that somebody else has changed, stays a draft. */
export async function recordWithDrafts(seen: Appointment, outcome: Outcome): Promise<void> {
  // Pending writes may be newer than `seen`.
  const [current = seen] = withExpected([seen])
  const along = FIELDS.flatMap((field) => {
    const draft = drafts.get().get(keyOf(seen, field))
    if (!draft || lengthOf(draft.text) > NOTES_LENGTH.max) return []
    return draftTextFor(draft.seen, field) === draftTextFor(current, field) ? draft : []
  })
  const texts = Object.assign({}, ...along.map(textIn)) as Outcome
  await recordEntry(seen, { ...outcome, ...texts }, () => {
    for (const draft of along) if (drafts.get().get(keyOf(seen, draft.field)) === draft) discard(draft)
  })
}

function textIn({ field, text }: Pick<TextDraft, 'field' | 'text'>): Outcome {
  return { [field]: text.trim() === '' ? null : text.trim() }
}

export function draftTextFor(lesson: Pick<Appointment, OutcomeTextField>, field: OutcomeTextField): string {
  return lesson[field] ?? ''
}
