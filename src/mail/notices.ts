import { type Cause, expectedIn, type LessonFacts } from '../db/message-facts.ts'
import {
  type Expected,
  isToldAs,
  knownAfter,
  knownBefore,
  type MessageLesson,
  type Notice,
  type NoticeKind,
  newsUntil,
  noticeFor,
  type ToldLesson,
} from '../domain/messages.ts'
import { localNow } from '../domain/time-zone.ts'

type Fields = Readonly<Record<string, unknown>>

export type LessonChange = Pick<Cause, 'at' | 'set_id' | 'action'> & {
  readonly before: Expected | undefined
  readonly after: Expected | undefined
  readonly isSeries: boolean
}

/** A notice with the change that it follows from. */
export type CausedNotice = Notice & Pick<LessonChange, 'at' | 'set_id' | 'isSeries'>

export function changesIn(
  causes: readonly Cause[],
  rows: ReadonlyMap<string, LessonFacts>,
): ReadonlyMap<string, readonly LessonChange[]> {
  const byLesson = Map.groupBy(causes, ({ resource_id }) => resource_id)
  return new Map([...byLesson].map(([id, own]) => [id, changesOfLesson(own, rows.get(id))]))
}

/** Follows the changes of a lesson backwards from its present state, because they have only the changed fields. */
function changesOfLesson(causes: readonly Cause[], row: LessonFacts | undefined): readonly LessonChange[] {
  const latestFirst = causes.toSorted((a, b) => versionAfter(b) - versionAfter(a))
  let state: Fields | undefined = row
  const found: LessonChange[] = []
  for (const { at, set_id, action, before, after, resource_id } of latestFirst) {
    const present: Fields = { ...state, ...after, id: resource_id }
    const former: Fields | undefined =
      action === 'deleted' || action === 'changed' ? { ...present, ...before } : undefined
    found.unshift({
      at,
      set_id,
      action,
      before: lessonIn(former),
      after: lessonIn(action === 'deleted' ? undefined : present),
      isSeries: action === 'created' && present.series_id != null,
    })
    state = former ?? present
  }
  return found
}

/** Every write increments the version. */
function versionAfter({ before, after }: Cause): number {
  return Number(after?.version ?? Number(before?.version ?? 0) + 1)
}

function lessonIn(fields: Fields | undefined) {
  if (typeof fields?.start_at !== 'string' || !Array.isArray(fields.attendees)) return undefined
  return expectedIn(fields as LessonFacts)
}

export type EarlierNotice = { readonly kind: NoticeKind; readonly lesson: MessageLesson }

type Awareness = {
  /** The notice about the lesson that the student would get without the changes. */
  readonly waiting: EarlierNotice | undefined
  /** The last notice about the lesson that the student got. */
  readonly sent: EarlierNotice | undefined
  readonly sends: Readonly<Record<NoticeKind, boolean>>
  readonly timezone: string
  readonly now: Date
}

/**
 * Returns the notice due to a student after changes of a lesson, in place of the waiting one: it leads from the lesson that
 * the student knows to the present one. A change without a message counts as known.
 */
export function noticeAfter(
  student_id: string,
  changes: readonly LessonChange[],
  { waiting, sent, sends, timezone, now }: Awareness,
): CausedNotice | undefined {
  let known = knownAtFirst(student_id, changes[0], { waiting, sent, sends })
  let notice: CausedNotice | undefined
  for (const { at, set_id, after, isSeries } of changes) {
    const present = expectedOf(student_id, after)
    const due = noticeFor(student_id, known, present)
    const start = (present ?? known)?.start_at ?? ''
    if (!due || !sends[due.kind] || start <= localNow(at, timezone) || newsUntil(at) <= now) {
      known = present
      notice = undefined
    } else if (notice?.kind !== due.kind) notice = { ...due, at, set_id, isSeries }
    else if (!isToldAs(notice.lesson, due.lesson)) notice = { ...notice, lesson: due.lesson, at }
  }
  return notice
}

function knownAtFirst(
  student_id: string,
  first: LessonChange | undefined,
  { waiting, sent, sends }: Pick<Awareness, 'waiting' | 'sent' | 'sends'>,
): ToldLesson | undefined {
  if (waiting && sends[waiting.kind]) return knownBefore(waiting.kind, waiting.lesson)
  const before = expectedOf(student_id, first?.before)
  if (before || !sent) return before
  // Not every cancellation is told: not that of a student who was deleted and has been restored.
  return first?.action === 'restored' || sends.cancelled ? knownAfter(sent.kind, sent.lesson) : undefined
}

/** Whether the changes book students who may have been told of the lesson before. */
export function booksAgain([first, ...rest]: readonly LessonChange[]): boolean {
  if (!first || first.action === 'created') return false
  const isNew = (student: string) => !first.before?.students.has(student)
  return [first, ...rest].some(({ after }) => [...(after?.students ?? [])].some(isNew))
}

function expectedOf(student_id: string, lesson: Expected | undefined): ToldLesson | undefined {
  return lesson?.students.has(student_id) ? lesson : undefined
}
