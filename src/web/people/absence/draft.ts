import { useMemo, useState } from 'react'
import type { AbsenceDecision } from '../../../contract/absence-decision.ts'
import type { AbsencePlan, AbsenceRequest, DecidedAbsence } from '../../../contract/absence-plan.ts'
import type { Appointment } from '../../../contract/appointment.ts'
import type { Instructor } from '../../../contract/instructor.ts'
import type { LocalDate } from '../../../domain/local-time.ts'
import { createStore, untilCleared } from '../../data/store.ts'
import type { AbsenceEntry } from '../../ui/absence-entries.ts'

/** The times of an absence in the form; empty times mean whole days. */
export type AbsenceForm = AbsenceEntry

/** Decisions by the id of the lesson. */
export type Decisions = Readonly<Record<string, AbsenceDecision>>

/** A lesson as it was before the absence was stored, and the decision on it. */
export type DecidedLesson = {
  readonly lesson: Appointment
  readonly phones: readonly string[]
  readonly decision: AbsenceDecision
}

/** A request to store an absence. */
export type SentAbsence = {
  readonly idempotency_key: string
  readonly absence: DecidedAbsence
  readonly lessons: readonly DecidedLesson[]
}

/** The decisions on an instructor's absence until they are stored, and the calls made before and after. */
export type AbsenceDraft = {
  /** The day of the link that opened the draft. */
  readonly day?: LocalDate | undefined
  readonly period: AbsenceForm
  readonly decisions: Decisions
  /** Ids of the lessons whose students have been called. */
  readonly called: readonly string[]
  /** The request that the service has neither confirmed nor rejected: it may have been executed. */
  readonly sent?: SentAbsence | undefined
  /** The stored absence; undefined until then. */
  readonly stored?: (Pick<SentAbsence, 'absence' | 'lessons'> & { readonly set_id: string }) | undefined
}

type Drafts = Readonly<Record<string, AbsenceDraft | undefined>>
type Kept = { readonly user_id: string; readonly drafts: Drafts }

/** The key in `sessionStorage`, which is cleared with the session, like every store. */
const KEY = 'fahrplan.absences'

/** The drafts by instructor; undefined until one changes. */
const drafts = createStore<Drafts | undefined>(undefined)

/** The days of the link to the page. */
type Days = { readonly day: LocalDate; readonly until?: LocalDate | undefined }

/** The props of each part of the page. */
export type AbsenceDraftProps = {
  readonly instructor: Instructor
  readonly draft: AbsenceDraft
  readonly onChange: (part?: (latest: AbsenceDraft) => Partial<AbsenceDraft>) => void
}

/** Returns the user's draft for an instructor and the function that changes it, or deletes it if called without a change. */
export function useDraft(user_id: string, instructor_id: string, days: Days) {
  const [isSameSession] = useState(untilCleared)
  const changed = drafts.use()
  const all = useMemo(() => changed ?? read(user_id), [changed, user_id])
  const draft = draftFor(all[instructor_id], days)
  /** Changes the latest draft: a response may arrive after other changes. */
  const change = (part?: (latest: AbsenceDraft) => Partial<AbsenceDraft>) => {
    if (!isSameSession()) return
    const now = drafts.get() ?? read(user_id)
    const latest = draftFor(now[instructor_id], days)
    const next = { ...now, [instructor_id]: part && { ...latest, ...part(latest) } }
    drafts.set(next)
    sessionStorage.setItem(KEY, JSON.stringify({ user_id, drafts: next } satisfies Kept))
  }
  return { draft, change }
}

/** Returns the stored draft; a blank one if there is none, or if it is for another day and has no decisions or calls. */
function draftFor(stored: AbsenceDraft | undefined, days: Days): AbsenceDraft {
  return stored && (isBegun(stored) || !isForOtherDay(stored, days.day)) ? stored : blank(days)
}

/** Whether the draft began with the link of another day. */
export function isForOtherDay(draft: AbsenceDraft, day: LocalDate | undefined): boolean {
  return day !== undefined && draft.day !== undefined && draft.day !== day
}

function isBegun({ decisions, called, sent, stored }: AbsenceDraft): boolean {
  return Object.keys(decisions).length > 0 || called.length > 0 || sent !== undefined || stored !== undefined
}

function blank({ day, until = day }: Days): AbsenceDraft {
  const end_date = until < day ? day : until
  const period = { start_date: day, start_time: '', end_date, end_time: '', note: '' }
  return { day, period, decisions: {}, called: [] }
}

/** Reads the stored drafts, possibly of another version, or of another user. */
function read(user_id: string): Drafts {
  try {
    const kept: Partial<Kept> = JSON.parse(sessionStorage.getItem(KEY) ?? '{}')
    return kept.user_id === user_id ? (kept.drafts ?? {}) : {}
  } catch {
    return {}
  }
}

/** Returns the request body of the form; undefined while it is incomplete or ends before its start. */
export function requestOf({
  start_date,
  start_time,
  end_date,
  end_time,
  note,
}: AbsenceForm): AbsenceRequest | undefined {
  if (start_date === '' || end_date === '' || end_date < start_date) return undefined
  if (start_date === end_date && (end_time || '24:00') <= (start_time || '00:00')) return undefined
  const times = { start_time: start_time || null, end_time: end_time || null }
  return { start_date, end_date, ...times, note: note.trim() || null }
}

export type AbsencePlanLesson = AbsencePlan['appointments'][number]
