import { type Cause, expectedIn, type MessageLessonRow } from '../db/messages/message-facts.ts'
import { actionOf } from '../domain/message-causes.ts'
import {
  type ActionKind,
  type AnnouncedLesson,
  announcedAfter,
  announcedBefore,
  type ExpectedLesson,
  isAnnouncedAs,
  type LessonNotice,
  type MessageLesson,
  type NoticeKind,
  newsUntil,
  noticeFor,
} from '../domain/messages.ts'
import { localNow } from '../domain/time-zone.ts'

type Fields = Readonly<Record<string, unknown>>

export type LessonChange = Pick<Cause, 'at' | 'set_id' | 'action'> & {
  readonly before: ExpectedLesson | undefined
  readonly after: ExpectedLesson | undefined
  readonly isSeries: boolean
  readonly actor?: Pick<Cause, 'actor_kind' | 'actor_id'> & { readonly did: ActionKind | undefined }
}

/** A notice with the change that caused it. The school calls the student if it `isCall`. */
export type CausedNotice = LessonNotice &
  Pick<LessonChange, 'at' | 'set_id' | 'isSeries'> & { readonly isCall?: boolean }

export function changesIn(
  causes: readonly Cause[],
  rows: ReadonlyMap<string, MessageLessonRow>,
): ReadonlyMap<string, readonly LessonChange[]> {
  const byLesson = Map.groupBy(causes, ({ resource_id }) => resource_id)
  return new Map([...byLesson].map(([id, own]) => [id, changesOfLesson(own, rows.get(id))]))
}

/** Returns the changes of a lesson with whole states, derived backwards from the present one: they store only changed fields. */
function changesOfLesson(
  causes: readonly Cause[],
  row: MessageLessonRow | undefined,
): readonly LessonChange[] {
  const latestFirst = causes.toSorted((a, b) => versionAfter(b) - versionAfter(a))
  let state: Fields | undefined = row
  const found: LessonChange[] = []
  for (const cause of latestFirst) {
    const { at, set_id, action, before, after, resource_id, actor_kind, actor_id } = cause
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
      actor: { actor_kind, actor_id, did: actionOf(cause) },
    })
    state = former ?? present
  }
  return found
}

/** Returns the version after a change: every write increments it. */
function versionAfter({ before, after }: Cause): number {
  return Number(after?.version ?? Number(before?.version ?? 0) + 1)
}

function lessonIn(fields: Fields | undefined) {
  if (typeof fields?.start_at !== 'string' || !Array.isArray(fields.attendees)) return undefined
  return expectedIn(fields as MessageLessonRow)
}

export type EarlierNotice = { readonly kind: NoticeKind; readonly lesson: MessageLesson }

type Awareness = {
  /** The waiting notice about the lesson, which the student would get without the changes. */
  readonly waiting: EarlierNotice | undefined
  /** The last notice about the lesson that the student got. */
  readonly sent: EarlierNotice | undefined
  readonly sends: Readonly<Record<NoticeKind, boolean>>
  readonly timezone: string
  readonly now: Date
}

/** Returns the notice due after changes, compared with the lesson as last announced. It replaces the waiting notice. */
export function noticeAfter(
  student_id: string,
  changes: readonly LessonChange[],
  { waiting, sent, sends, timezone, now }: Awareness,
): CausedNotice | undefined {
  // A cancellation that was sent is taken back even by schools that announce no bookings.
  const isCorrection = sent?.kind === 'cancelled' && sends.cancelled
  const sendsNow = { ...sends, booked: sends.booked || isCorrection }
  let known = knownAtFirst(student_id, changes[0], { waiting, sent, sends: sendsNow })
  let notice: CausedNotice | undefined
  for (const { at, set_id, after, isSeries } of changes) {
    const present = expectedOf(student_id, after)
    const due = noticeFor(student_id, known, present)
    const start = (present ?? known)?.start_at ?? ''
    if (!due || !sendsNow[due.kind] || start <= localNow(at, timezone) || newsUntil(at) <= now) {
      known = present
      notice = undefined
    } else if (notice?.kind !== due.kind) notice = { ...due, at, set_id, isSeries }
    else if (!isAnnouncedAs(notice.lesson, due.lesson)) notice = { ...notice, lesson: due.lesson, at }
  }
  return notice
}

function knownAtFirst(
  student_id: string,
  first: LessonChange | undefined,
  { waiting, sent, sends }: Pick<Awareness, 'waiting' | 'sent' | 'sends'>,
): AnnouncedLesson | undefined {
  if (waiting && sends[waiting.kind]) return announcedBefore(waiting.kind, waiting.lesson)
  const before = expectedOf(student_id, first?.before)
  if (before || !sent) return before
  // A student who was deleted and has been restored was not sent the cancellation.
  return first?.action === 'restored' || sends.cancelled ? announcedAfter(sent.kind, sent.lesson) : undefined
}

/** Returns the news for which the school calls a student who gets no messages. All of a kind are one call; what students did they know. */
export function callAfter(
  student_id: string,
  changes: readonly LessonChange[],
  { sends, calledFor, ...known }: Awareness & { readonly calledFor: readonly NoticeKind[] },
): CausedNotice | undefined {
  const { actor_kind, actor_id } = changes.at(-1)?.actor ?? {}
  if (actor_kind === 'student' && actor_id === student_id) return undefined
  const booked = sends.booked && calledFor.includes('booked')
  const notice = noticeAfter(student_id, changes, { ...known, sends: { ...sends, booked } })
  return notice && { ...notice, set_id: student_id, isCall: true }
}

/** Whether changes of an existing lesson add students. They may already have had a notice about it. */
export function booksAgain([first, ...rest]: readonly LessonChange[]): boolean {
  if (!first || first.action === 'created') return false
  const isNew = (student: string) => !first.before?.students.has(student)
  return [first, ...rest].some(({ after }) => [...(after?.students ?? [])].some(isNew))
}

function expectedOf(student_id: string, lesson: ExpectedLesson | undefined): AnnouncedLesson | undefined {
  return lesson?.students.has(student_id) ? lesson : undefined
}
