import type { QueryClient } from '@tanstack/react-query'
import type { Appointment } from '../../contract/appointment.ts'
import { changeAppointment } from '../data/appointments.ts'
import { fetchJson } from '../data/fetch-api.ts'
import { ApiProblem } from '../data/send.ts'
import { idOfDue, type SentSignature } from '../data/signatures.ts'
import { mergeWrite, Stale } from '../data/write-queue.ts'
import { changeBy, type Outcome } from './outcome.ts'

/** The text fields. An entry with any other field conflicts with a change of the status. */
const TEXTS: ReadonlySet<string> = new Set(['notes', 'practised'])

/** The fields that make it another lesson if they change. Every entry except notes conflicts with that. */
export const IDENTITY = ['student_id', 'start_at'] as const

/** An instructor's unsent entry about a lesson. A lesson has at most one. */
export type OutboxEntry = {
  /** The lesson as it was seen. */
  readonly seen: Appointment
  readonly change: Outcome
  /** The signatures to send after the change, each with the digest of the text that was shown, also of other lessons. */
  readonly signatures?: readonly SentSignature[]
  /** The changes sent without a response, by revision. The service may have executed them. */
  readonly tried?: Readonly<Record<string, Outcome>>
  /** A new id for every edit: the entry may be edited while it is being sent. */
  readonly revision: string
  /** Whether it could not be sent at once. */
  readonly hasWaited?: boolean
  /** The reason for the service's refusal, and the current lesson if that is a conflict. */
  readonly refused?: { readonly why: string; readonly theirs?: Appointment | undefined }
}

/** Returns a stored entry as it is now: older builds had a single signature. */
export function currentEntry({
  signature,
  ...entry
}: OutboxEntry & { readonly signature?: SentSignature }): OutboxEntry {
  return signature ? { ...entry, signatures: [signature] } : entry
}

/** Returns the lesson that a signature of an entry is for, or the enrolment. */
export function signedIdOf({ seen }: OutboxEntry, { due }: SentSignature): string {
  return due ? idOfDue(due) : seen.id
}

/** Returns the entries with signatures given at a lesson. One of another lesson is sent after the changes of that lesson. */
export function withSignatures(
  entries: readonly OutboxEntry[],
  seen: Appointment,
  added: readonly SentSignature[],
): readonly OutboxEntry[] {
  const isKnown = entries.some((one) => one.seen.id === seen.id)
  const all = isKnown ? entries : [...entries, { seen, change: {}, revision: '' }]
  const waiting = new Set(all.filter(({ refused }) => !refused).map((one) => one.seen.id))
  const placed = Map.groupBy(added, ({ due }) => (due && waiting.has(idOfDue(due)) ? idOfDue(due) : seen.id))
  return all.map((entry) => {
    const own = placed.get(entry.seen.id)?.map(({ due, ...signature }) => ({
      ...signature,
      ...(due && idOfDue(due) !== entry.seen.id && { due }),
    }))
    if (!own) return entry
    const { refused: _, signatures = [], ...said } = entry
    const idOf = (one: SentSignature) => `${one.body.as} ${one.body.student_id} ${signedIdOf(entry, one)}`
    const ids = new Set(own.map(idOf))
    const others = signatures.filter((one) => !ids.has(idOf(one)))
    return { ...said, signatures: [...others, ...own], revision: crypto.randomUUID() }
  })
}

/** Writes an entry, merged with others' changes. Throws `Stale`, `ApiProblem` or `Unreachable`. */
export function writeEntry(
  { seen, change: outcome, tried = {} }: OutboxEntry,
  client: QueryClient,
): Promise<Appointment> {
  const unmarked = marksIn(outcome.attendees?.map((one) => ({ ...one, attended: null })))
  const comparable = (row: Partial<Appointment>) => ({ ...unmarked, ...withMarks(row) })
  const change = withMarks(outcome)
  const fields = contestedBy(Object.keys(change))
  const basis = { fields, change, tried: Object.values(tried).map(withMarks), comparable }
  return mergeWrite(seen, basis, async (latest) => {
    try {
      return await changeAppointment({ seen: latest, change: changeBy(outcome, latest) }, { client })
    } catch (error) {
      throw (await changedMeanwhile(error, latest)) ?? error
    }
  })
}

/** Returns each mark as a field, to compare it on its own: the office may change the list meanwhile. */
function withMarks({ attendees, ...others }: Partial<Appointment>): object {
  return { ...others, ...marksIn(attendees) }
}

function marksIn(attendees: Appointment['attendees'] = []): Readonly<Record<string, boolean | null>> {
  return Object.fromEntries(attendees.map(({ student_id, attended }) => [student_id, attended]))
}

/** Returns the fields whose change by somebody else conflicts with an entry. */
function contestedBy(names: readonly string[]): readonly string[] {
  if (names.every((name) => name === 'notes')) return names
  return [...names, ...IDENTITY, ...(names.every((name) => TEXTS.has(name)) ? [] : ['status'])]
}

/** Returns the conflict if a write was refused for a lesson that has been cancelled or whose students have changed meanwhile. */
async function changedMeanwhile(error: unknown, seen: Appointment): Promise<Stale<Appointment> | undefined> {
  if (!(error instanceof ApiProblem && (error.is('forbidden') || error.is('not_found')))) return undefined
  const current = await fetchJson<Appointment>(`/appointments/${seen.id}`)
  return current.version === seen.version ? undefined : new Stale(current)
}
