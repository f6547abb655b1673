import type { Appointment } from '../../contract/appointment.ts'
import { NOTES_LENGTH } from '../../domain/ranges.ts'
import { withExpected } from '../data/pending-writes.ts'
import { lengthOf } from '../ui/use-length.ts'
import { createDeviceDrafts } from './device-drafts.ts'
import { recordEntry } from './outbox.ts'
import type { Outcome } from './outcome.ts'

/** The text fields of a lesson. */
export type OutcomeTextField = 'notes' | 'practised'

/** A text being typed, kept while another lesson or day is shown. */
export type TextDraft = {
  readonly field: OutcomeTextField
  /** The lesson when typing began. */
  readonly seen: Appointment
  readonly text: string
}

/** The unsaved texts, by lesson and field. */
export const drafts = createDeviceDrafts<TextDraft>('drafts')

export function keyOf({ id }: Pick<Appointment, 'id'>, field: OutcomeTextField): string {
  return `${id} ${field}`
}

/** Stores a typed text as a draft, unless it equals the saved one. */
export function type(lesson: Appointment, field: OutcomeTextField, text: string): void {
  const { seen = lesson } = drafts.get().get(keyOf(lesson, field)) ?? {}
  const draft = { seen, field, text }
  if (text === draftTextFor(seen, field)) discard(draft)
  else drafts.put(keyOf(lesson, field), draft)
}

export function discard({ seen, field }: TextDraft): void {
  drafts.put(keyOf(seen, field), undefined)
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
    else if (typed) drafts.put(key, { ...typed, seen: { ...typed.seen, ...said } })
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
