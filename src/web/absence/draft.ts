import { useMemo, useState } from 'react'
import type { AbsenceDecision } from '../../contract/absence-decision.ts'
import type { AbsencePlan, AbsenceRequest } from '../../contract/absence-plan.ts'
import type { Appointment } from '../../contract/appointment.ts'
import type { LocalDate } from '../../domain/local-time.ts'
import type { PlannedBody, recordAbsence } from '../data/absences.ts'
import { createStore, untilCleared } from '../data/store.ts'
import type { Undecided } from '../data/undecided.ts'
import type { AbsenceEntry } from '../ui/absence-entries.ts'
import type { AbsenceCause } from './causes.ts'

/** The times of an absence in the form; empty times mean whole days. */
export type AbsenceForm = AbsenceEntry

export type UnreadableTimes = { readonly [Field in 'start_time' | 'end_time']?: string | undefined }

export type Decisions = Readonly<Record<string, AbsenceDecision>>

/** A lesson as it was before the absence was stored, and the decision on it. */
export type DecidedLesson = {
  readonly lesson: Appointment
  readonly phones: readonly string[]
  readonly decision: AbsenceDecision
}

/** A request to store an absence. */
export type SentAbsence = Parameters<typeof recordAbsence>[1] & {
  readonly lessons: readonly DecidedLesson[]
}

/** The chosen step of the ladder, with the lessons of others that it moves. */
export type ChosenStep = {
  readonly moved: number
  readonly others: readonly DecidedLesson[]
  /** The absence for which it was chosen, as JSON. */
  readonly of: string
}

/** The decisions on an instructor's absence until they are stored, and the calls made before and after. */
export type AbsenceDraft = {
  /** The day of the link that opened the draft. */
  readonly day?: LocalDate | undefined
  readonly period: AbsenceForm
  readonly unreadable?: UnreadableTimes
  /** The instructor's new hours or limits. */
  readonly change?: Undecided['change']
  readonly decisions: Decisions
  readonly step?: ChosenStep | undefined
  /** Ids of the lessons whose students have been called. */
  readonly called: readonly string[]
  /** The request that the service has neither confirmed nor rejected: it may have been executed. */
  readonly sent?: SentAbsence | undefined
  /** The stored absence; undefined until then. */
  readonly stored?: (Pick<SentAbsence, 'absence' | 'lessons'> & { readonly set_id: string }) | undefined
}

type Drafts = Readonly<Record<string, AbsenceDraft | undefined>>
type StoredDrafts = { readonly user_id: string; readonly drafts: Drafts }

/** The key in `sessionStorage`, which is cleared with the session, like every store. */
const KEY = 'fahrplan.absences'

/** The drafts by cause; undefined until one changes. */
const drafts = createStore<Drafts | undefined>(undefined)

type Days = { readonly day: LocalDate; readonly until?: LocalDate | undefined }

/** The props of each part of the page. */
export type AbsenceDraftProps = {
  readonly cause: AbsenceCause
  readonly draft: AbsenceDraft
  readonly onChange: (part?: (latest: AbsenceDraft) => Partial<AbsenceDraft>) => void
}

/** Returns the user's draft for a cause and the function that changes it, or deletes it if called without a change. */
export function useDraft(user_id: string, key: string, days: Days) {
  const [isSameSession] = useState(untilCleared)
  const changed = drafts.use()
  const all = useMemo(() => changed ?? read(user_id), [changed, user_id])
  const draft = draftFor(all[key], days)
  /** Changes the latest draft: a response may arrive after other changes. */
  const change = (part?: (latest: AbsenceDraft) => Partial<AbsenceDraft>) => {
    if (!isSameSession()) return
    const now = drafts.get() ?? read(user_id)
    const latest = draftFor(now[key], days)
    store(user_id, { ...now, [key]: part && { ...latest, ...part(latest) } })
  }
  return { draft, change }
}

/** Moves the typed days to a cause that has no draft, as long as nothing is decided. */
export function carryPeriod(user_id: string, from: string, to: string): void {
  const all = drafts.get() ?? read(user_id)
  const [typed, other] = [all[from], all[to]]
  if (!typed || other || isBegun(typed)) return
  store(user_id, { ...all, [from]: undefined, [to]: typed })
}

function store(user_id: string, all: Drafts): void {
  drafts.set(all)
  sessionStorage.setItem(KEY, JSON.stringify({ user_id, drafts: all } satisfies StoredDrafts))
}

/** Returns the stored draft; a blank one if there is none, or if it is for another day and has no decisions or calls. */
function draftFor(stored: AbsenceDraft | undefined, days: Days): AbsenceDraft {
  return stored && (isBegun(stored) || !isForOtherDay(stored, days.day)) ? stored : blank(days)
}

/** Whether the draft began with the link of another day. */
export function isForOtherDay(draft: AbsenceDraft, day: LocalDate | undefined): boolean {
  return day !== undefined && draft.day !== undefined && draft.day !== day
}

function isBegun({ decisions, called, sent, stored, change }: AbsenceDraft): boolean {
  if (sent !== undefined || stored !== undefined || change !== undefined) return true
  return Object.keys(decisions).length > 0 || called.length > 0
}

function blank({ day, until = day }: Days): AbsenceDraft {
  const end_date = until < day ? day : until
  const period = { start_date: day, start_time: '', end_date, end_time: '', note: '' }
  return { day, period, decisions: {}, called: [] }
}

/** Reads the stored drafts, possibly of another version, or of another user. */
function read(user_id: string): Drafts {
  try {
    const kept: Partial<StoredDrafts> = JSON.parse(sessionStorage.getItem(KEY) ?? '{}')
    return kept.user_id === user_id ? (kept.drafts ?? {}) : {}
  } catch {
    return {}
  }
}

const RETIRED: PlannedBody = { active: false }

/** Returns the change to plan for; undefined while the form is incomplete or ends before its start. */
export function requestOf({ kind }: AbsenceCause, { period, change }: AbsenceDraft): PlannedBody | undefined {
  if (kind === 'change') return change?.values
  if (kind === 'retired') return RETIRED
  const absence = periodOf(period)
  if (kind !== 'closure' || !absence) return absence
  const { start_date, end_date, note } = absence
  return { start_date, end_date, note: note ?? null }
}

/** Returns the days and times of the form; undefined while they are incomplete or end before their start. */
export function periodOf({
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

/** Returns the chosen step of the ladder; undefined if there is none, or if it is for other times. */
export function stepIn({ step }: AbsenceDraft, absence: PlannedBody): ChosenStep | undefined {
  return step?.of === JSON.stringify(withoutNote(absence)) ? step : undefined
}

/** Returns the change without its note, which alters nothing about the plan. */
export function withoutNote(body: PlannedBody): PlannedBody {
  return 'note' in body ? { ...body, note: null } : body
}

/** Returns the change of a draft when its stored absence is undone: the lessons have new versions. */
export function withoutStored(set_id: string): (latest: AbsenceDraft) => Partial<AbsenceDraft> {
  // The user may have started another absence since.
  return ({ stored }) => (stored?.set_id === set_id ? { stored: undefined, decisions: {} } : {})
}

/** Returns the change of a draft that records or removes a call. */
export function calling(id: string, isCalled: boolean) {
  return ({ called }: AbsenceDraft): Partial<AbsenceDraft> => ({
    called: isCalled ? [...called, id] : called.filter((one) => one !== id),
  })
}
