import type { Tenant } from '../contract/tenant.ts'
import type { WaitingMessage } from '../db/messages/waiting-messages.ts'
import {
  isAnnouncedAs,
  isNotice,
  type MessageLesson,
  type NoticeKind,
  newsUntil,
  outsideQuiet,
} from '../domain/messages.ts'
import { instantOf } from '../domain/time-zone.ts'
import type { CausedNotice, EarlierNotice } from './notices.ts'

/** The wait of a message about a series: each lesson has its own transaction, and the message includes the last one. */
const SERIES_SECONDS = 60
/** The wait of other messages, in which a change can be undone. */
const GRACE_SECONDS = 10

/** The new state of a waiting message. An empty one keeps its lessons, so that lists find it. */
export type Revision = WaitingMessage & {
  readonly send_at: Date | null
  readonly isRevised: boolean
  readonly isEmpty: boolean
}

type Schedule = Pick<Tenant, 'messages' | 'timezone'>

/** The days before a lesson in which the school calls about it: in an earlier week most students come to another lesson. */
const CALL_DAYS = 7

type Bundle = {
  readonly isCall: boolean
  readonly kind: NoticeKind
  readonly student_id: string
  readonly set_id: string
  readonly lessons: readonly MessageLesson[]
  readonly send_at: Date
  readonly worth_until: Date
}

export function noticeKey(student_id: string | null, appointment_id: string): string {
  return `${student_id} ${appointment_id}`
}

/** Returns the notice for each student and lesson, from the first message about them. */
export function noticesByLesson(
  messages: readonly Pick<WaitingMessage, 'kind' | 'student_id' | 'lessons'>[],
): ReadonlyMap<string, EarlierNotice> {
  return new Map(
    messages
      .toReversed()
      .flatMap(({ kind, student_id, lessons }) =>
        isNotice(kind)
          ? lessons.map((lesson) => [noticeKey(student_id, lesson.appointment_id), { kind, lesson }] as const)
          : [],
      ),
  )
}

/** Adds notices to waiting messages of the same kind, student and set. Returns revised messages, and new bundles for the others. */
export function reviseMessages(
  waiting: readonly WaitingMessage[],
  notices: ReadonlyMap<string, CausedNotice | undefined>,
  tenant: Schedule,
): { readonly revisions: readonly Revision[]; readonly bundles: readonly Bundle[] } {
  const left = new Map(notices)
  const kept = waiting.map((message) => keptOf(message, left))
  const due = [...left.values()].filter((notice) => notice !== undefined)
  const sets = Map.groupBy(due, setOf)
  const revisions = kept.map(({ message, lessons, news }) => {
    const isEmpty = lessons.length + news.length === 0
    const added = (!isEmpty && sets.get(setOf(message))) || []
    if (added.length > 0) sets.delete(setOf(message))
    return revisionOf({ message, lessons, news: [...news, ...added] }, tenant)
  })
  const bundles = [...sets.values()].flatMap((news) => {
    const [first] = news
    if (!first) return []
    const { kind, student_id, set_id, isCall = false } = first
    const lessons = byStart(news.map(({ lesson }) => lesson))
    const times = timesOf({ kind, lessons, isCall }, news, tenant)
    return [{ kind, student_id, set_id, isCall, lessons, ...times }]
  })
  return { revisions, bundles }
}

function setOf({ kind, student_id, set_id }: Pick<WaitingMessage, 'kind' | 'student_id' | 'set_id'>): string {
  return `${kind} ${student_id} ${set_id}`
}

type SplitMessage = {
  readonly message: WaitingMessage
  readonly lessons: readonly MessageLesson[]
  readonly news: readonly CausedNotice[]
}

/** Splits a message into unchanged lessons and changed notices, and removes both from `left`. */
function keptOf(message: WaitingMessage, left: Map<string, CausedNotice | undefined>): SplitMessage {
  const { kind, student_id } = message
  if (!isNotice(kind)) return { message, lessons: message.lessons, news: [] }
  const lessons: MessageLesson[] = []
  const news: CausedNotice[] = []
  for (const lesson of message.lessons) {
    const key = noticeKey(student_id, lesson.appointment_id)
    const notice = left.get(key)
    if (left.has(key) && notice?.kind !== kind) continue
    left.delete(key)
    if (notice && !isAnnouncedAs(notice.lesson, lesson)) news.push(notice)
    else lessons.push(lesson)
  }
  return { message, lessons, news }
}

function revisionOf({ message, lessons, news }: SplitMessage, tenant: Schedule): Revision {
  const all = byStart([...lessons, ...news.map(({ lesson }) => lesson)])
  const isEmpty = isNotice(message.kind) && all.length === 0
  if (news.length === 0 && (isEmpty || all.length === message.lessons.length))
    return { ...message, send_at: null, isRevised: false, isEmpty }
  const { kind, channel } = message
  const times =
    news.length > 0
      ? timesOf({ kind, lessons: all, isCall: channel === 'call' }, news, tenant)
      : { send_at: null }
  return { ...message, lessons: all, ...times, isRevised: true, isEmpty }
}

/** Returns when to send the message after the latest change, and until when it is news about a coming lesson. */
function timesOf(
  message: Pick<WaitingMessage, 'kind' | 'lessons'> & { readonly isCall: boolean },
  news: readonly CausedNotice[],
  { messages, timezone }: Schedule,
) {
  const at = Math.max(...news.map((notice) => notice.at.getTime()))
  const seconds = news.some(({ isSeries }) => isSeries) ? SERIES_SECONDS : GRACE_SECONDS
  const soonest = new Date(at + seconds * 1000)
  if (message.isCall) return timesOfCall(message.lessons, soonest, timezone)
  const start = Math.max(...message.lessons.map(({ start_at }) => instantOf(start_at, timezone)))
  const worth_until = new Date(Math.min(start, newsUntil(new Date(at)).getTime()))
  const until = outsideQuiet(message, soonest, { quiet: messages.quiet, timezone })
  // Due at once if it is too late after quiet hours: the office hears of it in time.
  return { send_at: until < worth_until ? until : soonest, worth_until }
}

/** Returns when the office is to call, not before the days in which it matters, and until when: the end of the last lesson. */
function timesOfCall(lessons: readonly MessageLesson[], soonest: Date, timezone: string) {
  const facts = lessons.flatMap(({ was, ...lesson }) => [lesson, ...(was ? [was] : [])])
  const first = Math.min(...facts.map(({ start_at }) => instantOf(start_at, timezone)))
  const last = Math.max(...facts.map(({ end_at }) => instantOf(end_at, timezone)))
  const from = first - CALL_DAYS * 86_400_000
  return { send_at: new Date(Math.max(soonest.getTime(), from)), worth_until: new Date(last) }
}

function byStart(lessons: readonly MessageLesson[]): MessageLesson[] {
  return lessons.toSorted((a, b) => (a.start_at < b.start_at ? -1 : 1))
}
