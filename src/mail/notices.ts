import { type Cause, expectedIn, type LessonFacts } from '../db/message-facts.ts'
import type { WaitingMessage } from '../db/messages.ts'
import { type MessageLesson, type Notice, noticesOf } from '../domain/messages.ts'
import { localNow } from '../domain/time-zone.ts'

type Fields = Readonly<Record<string, unknown>>

export type CausedNotice = Notice & Pick<Cause, 'at' | 'set_id'> & { readonly isSeries: boolean }

type Surroundings = { readonly timezone: string; readonly waiting: readonly WaitingMessage[] }

/** Returns the notices of the changes of lessons, in their order. */
export function noticesIn(
  causes: readonly Cause[],
  rows: ReadonlyMap<string, LessonFacts>,
  { timezone, waiting }: Surroundings,
): readonly CausedNotice[] {
  const byLesson = Map.groupBy(causes, ({ resource_id }) => resource_id)
  const notices = [...byLesson].flatMap(([id, own]) => noticesOfLesson(own, rows.get(id), timezone))
  return withFirstPlaces(notices, waiting)
}

/** Follows the changes of a lesson backwards from its present state, because they have only the changed fields. */
function noticesOfLesson(
  causes: readonly Cause[],
  row: LessonFacts | undefined,
  timezone: string,
): readonly CausedNotice[] {
  const latestFirst = causes.toSorted((a, b) => versionAfter(b) - versionAfter(a))
  let state: Fields | undefined = row
  const found: CausedNotice[][] = []
  for (const { at, set_id, action, before, after, resource_id } of latestFirst) {
    const present: Fields = { ...state, ...after, id: resource_id }
    const former: Fields | undefined =
      action === 'deleted' || action === 'changed' ? { ...present, ...before } : undefined
    const notices = noticesOf(
      lessonIn(former),
      lessonIn(action === 'deleted' ? undefined : present),
      localNow(at, timezone),
    )
    const isSeries = action === 'created' && present.series_id != null
    found.unshift(notices.map((notice) => ({ ...notice, at, set_id, isSeries })))
    state = former ?? present
  }
  return found.flat()
}

/** Every write increments the version. */
function versionAfter({ before, after }: Cause): number {
  return Number(after?.version ?? Number(before?.version ?? 0) + 1)
}

function lessonIn(fields: Fields | undefined) {
  if (typeof fields?.start_at !== 'string' || !Array.isArray(fields.attendees)) return undefined
  return expectedIn(fields as LessonFacts)
}

/** Lets a move start from the place that the student knows: that before an earlier move which still waits to be told. */
function withFirstPlaces(
  notices: readonly CausedNotice[],
  waiting: readonly WaitingMessage[],
): readonly CausedNotice[] {
  const places = new Map<string, MessageLesson['was']>()
  const keyOf = (student: string | null, lesson: MessageLesson) => `${student} ${lesson.appointment_id}`
  for (const { kind, student_id, lessons } of waiting)
    if (kind === 'moved') for (const lesson of lessons) places.set(keyOf(student_id, lesson), lesson.was)
  return notices.map((notice) => {
    if (notice.kind !== 'moved') return notice
    const key = keyOf(notice.student_id, notice.lesson)
    const was = places.get(key) ?? notice.lesson.was
    places.set(key, was)
    return { ...notice, lesson: { ...notice.lesson, was } }
  })
}
