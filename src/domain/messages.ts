import type { LocalDateTime } from './local-time.ts'
import type { ContactChannel, StudentChannel } from './message-channels.ts'
import { afterQuiet, type QuietHours, quietSince } from './message-times.ts'
import { instantOf, localNow } from './time-zone.ts'

export const MESSAGE_KINDS = [
  'booked',
  'moved',
  'cancelled',
  'reminder',
  'offer',
  'link',
  'day_plan',
  'availability',
] as const
export type SwitchedKind = (typeof MESSAGE_KINDS)[number]

/** The messages to instructors and the office about actions of students on their pages. */
export const ACTION_KINDS = [
  'student_cancelled',
  'student_moved',
  'student_confirmed',
  'student_wish',
  'offer_taken',
] as const
export type ActionKind = (typeof ACTION_KINDS)[number]

export type MessageKind = SwitchedKind | ActionKind

export function isActionKind(kind: MessageKind): kind is ActionKind {
  return (ACTION_KINDS as readonly MessageKind[]).includes(kind)
}

/** The people who are told what students did, by the setting `student_actions`. */
export const ACTION_READERS = {
  nobody: [],
  instructor: ['instructor'],
  office: ['office'],
  both: ['instructor', 'office'],
} as const
export type ActionReader = (typeof ACTION_READERS)['both'][number]

/** Returns the people who are told what students did. A release that did not know the setting stored none. */
export function actionReaders({ student_actions }: MessageSettings): readonly ActionReader[] {
  return ACTION_READERS[student_actions ?? 'both']
}

/** The kinds of messages that a school sends, and their times. */
export type MessageSettings = Readonly<Record<SwitchedKind, boolean>> & {
  readonly student_actions: keyof typeof ACTION_READERS
  readonly reminder_hours: readonly number[]
  readonly quiet: QuietHours | null
}

export const NO_MESSAGES: MessageSettings = {
  booked: false,
  moved: false,
  cancelled: false,
  reminder: false,
  offer: false,
  link: false,
  day_plan: false,
  availability: false,
  student_actions: 'both',
  reminder_hours: [24, 2],
  quiet: null,
}

export type AnnouncedLesson = {
  readonly appointment_id: string
  readonly start_at: LocalDateTime
  readonly end_at: LocalDateTime
  readonly instructor_id: string
  /** The meeting point; missing in messages of releases that did not store it. */
  readonly pickup_place?: string | null
  readonly location_id?: string | null
}

/** A lesson as announced in a message; `was` has its facts before a move, `by` the student who acted. */
export type MessageLesson = AnnouncedLesson & {
  readonly was: Omit<AnnouncedLesson, 'appointment_id'> | null
  readonly by?: string
}

/** A lesson with its expected students: none if it is cancelled or deleted. */
export type ExpectedLesson = AnnouncedLesson & { readonly students: ReadonlySet<string> }

export type NoticeKind = 'booked' | 'moved' | 'cancelled'

export function isNotice(kind: MessageKind): kind is NoticeKind {
  return kind === 'booked' || kind === 'moved' || kind === 'cancelled'
}

/** The news for which a student without consent is called: whoever books a lesson speaks with the student. */
export const CALLED_WITHOUT_CONSENT: readonly NoticeKind[] = ['moved', 'cancelled']
/** The news for which a student is called who agrees to messages, but has no address. */
export const CALLED_WITHOUT_ADDRESS: readonly NoticeKind[] = ['booked', ...CALLED_WITHOUT_CONSENT]

/** Whether contacts of the student get messages of a kind, too. The others have a link by which the student acts. */
export function isForContacts(kind: MessageKind): boolean {
  return isNotice(kind) || kind === 'reminder'
}

/** Whether messages of a kind are derived from the log of changes. */
export function isDerivedKind(kind: MessageKind): boolean {
  return isNotice(kind) || isActionKind(kind) || kind === 'reminder'
}

/** A message that a student should get about a lesson. */
export type LessonNotice = {
  readonly kind: NoticeKind
  readonly student_id: string
  readonly lesson: MessageLesson
}

/** Returns the notice of the change from the known to the present lesson; undefined if nothing announced has changed. */
export function noticeFor(
  student_id: string,
  known: AnnouncedLesson | undefined,
  present: AnnouncedLesson | undefined,
): LessonNotice | undefined {
  if (!known) return present && { kind: 'booked', student_id, lesson: unmovedLesson(present) }
  if (!present) return { kind: 'cancelled', student_id, lesson: unmovedLesson(known) }
  return isAnnouncedAs(known, present)
    ? undefined
    : { kind: 'moved', student_id, lesson: { ...unmovedLesson(present), was: announcedFacts(known) } }
}

/** Returns the lesson as announced before the notice; undefined if it was not. */
export function announcedBefore(
  kind: NoticeKind,
  { was, by: _, ...lesson }: MessageLesson,
): AnnouncedLesson | undefined {
  if (kind === 'booked') return undefined
  return kind === 'moved' && was ? { ...was, appointment_id: lesson.appointment_id } : lesson
}

/** Returns the lesson as announced by the notice; undefined if it is cancelled. */
export function announcedAfter(
  kind: NoticeKind,
  { was: _, ...lesson }: MessageLesson,
): AnnouncedLesson | undefined {
  return kind === 'cancelled' ? undefined : lesson
}

/** The days for which a change is news: a mail server may be down for a weekend. */
const NEWS_DAYS = 3

/** Returns the time from which a change is no longer news. */
export function newsUntil(at: Date): Date {
  return new Date(at.getTime() + NEWS_DAYS * 86_400_000)
}

function unmovedLesson({ appointment_id, ...lesson }: AnnouncedLesson): MessageLesson {
  return { appointment_id, ...announcedFacts(lesson), was: null }
}

type LessonFacts = Omit<AnnouncedLesson, 'appointment_id'>

function announcedFacts(lesson: LessonFacts): LessonFacts {
  const { start_at, end_at, instructor_id, pickup_place, location_id } = lesson
  const place = pickup_place === undefined ? {} : { pickup_place, location_id: location_id ?? null }
  return { start_at, end_at, instructor_id, ...place }
}

/** Whether both have the same times, instructor and meeting point, so that a message about one is true of the other. */
export function isAnnouncedAs(one: LessonFacts, other: LessonFacts): boolean {
  return isSameAgreement(one, other) && isSamePlace(one, other)
}

/** Whether both begin at the same meeting point. The branch is that only without a pick-up place. */
function isSamePlace(one: LessonFacts, other: LessonFacts): boolean {
  if (one.pickup_place === undefined || other.pickup_place === undefined) return true
  if (one.pickup_place !== other.pickup_place) return false
  return one.pickup_place !== null || (one.location_id ?? null) === (other.location_id ?? null)
}

/** Whether both have the same times and instructor, so that a student who confirmed one has confirmed the other. */
export function isSameAgreement(one: LessonFacts, other: LessonFacts): boolean {
  return (
    one.start_at === other.start_at &&
    one.end_at === other.end_at &&
    one.instructor_id === other.instructor_id
  )
}

const SOON_AFTER_QUIET_MS = 120 * 60_000

const LATE_REMINDER_MS = 10 * 60_000

/** Returns how long after quiet hours a lesson still makes its message urgent; undefined if no message of the kind is. */
function urgencyOf(kind: MessageKind): number | undefined {
  if (kind === 'cancelled' || kind === 'moved') return SOON_AFTER_QUIET_MS
  return isActionKind(kind) ? -1 : undefined
}

type TimedMessage = {
  readonly kind: MessageKind
  readonly lessons: readonly Omit<MessageLesson, 'appointment_id'>[]
}

/** Returns `now`, or the end of quiet hours. News of a lesson that begins, or would have begun, before it or soon after does not wait. */
export function outsideQuiet(
  { kind, lessons }: TimedMessage,
  now: Date,
  { quiet, timezone }: { readonly quiet: QuietHours | null; readonly timezone: string },
): Date {
  const until = afterQuiet(now, quiet, timezone)
  const urgency = urgencyOf(kind)
  if (urgency === undefined) return until
  const starts = lessons.flatMap(({ start_at, was }) => [start_at, ...(was ? [was.start_at] : [])])
  const isUrgent = starts.some((start) => instantOf(start, timezone) <= until.getTime() + urgency)
  return isUrgent ? now : until
}

export type DecidedMessage = {
  readonly kind: MessageKind
  readonly student_id: string | null
  readonly lessons: readonly MessageLesson[]
  readonly hours: number | null
  readonly reader?: ActionReader | undefined
  /** Whether it takes back cancellations that were sent: then it is sent as they are. */
  readonly isCorrection?: boolean | undefined
}

/** The present state of a student who is asked for a week. `has_page` is false if the page takes no answer. */
export type AskedStudent = {
  readonly has_page: boolean
  readonly has_answered: boolean
  readonly is_enrolled: boolean
}

/** The present state that a decision depends on. `expected` has the lessons that are not deleted. */
export type PresentState = {
  readonly settings: MessageSettings
  readonly timezone: string
  readonly now: Date
  readonly worth_until: Date
  readonly recipient: (ContactChannel & { readonly agrees: boolean }) | undefined
  readonly expected: ReadonlyMap<string, ExpectedLesson>
  readonly asked?: AskedStudent | undefined
}

export const DROP_REASONS = [
  'switched_off',
  'no_recipient',
  'no_consent',
  'no_address',
  'no_webhook',
  'cancelled',
  'moved',
  'planned',
  'past',
  'quiet',
  'withdrawn',
  'answered',
  'not_enrolled',
] as const
export type DropReason = (typeof DROP_REASONS)[number]

/** The channel to use, with its address; null for `push`. */
type Target =
  | { readonly channel: 'push'; readonly to: null }
  | { readonly channel: StudentChannel; readonly to: string }

export type MessageDecision =
  | ({ readonly action: 'send'; readonly lessons: readonly MessageLesson[] } & Target)
  | { readonly action: 'wait'; readonly until: Date }
  | { readonly action: 'drop'; readonly reason: DropReason }

/** Decides whether to send, delay or drop a message now. Called again directly before sending. */
export function decideMessage(message: DecidedMessage, state: PresentState): MessageDecision {
  const { settings, timezone, now, recipient, worth_until, asked } = state
  const drop = (reason: DropReason) => ({ action: 'drop', reason }) as const
  const isOff = message.hours !== null && !settings.reminder_hours.includes(message.hours)
  if (!isSent(message, settings) || isOff) return drop('switched_off')
  if (!recipient) return drop('no_recipient')
  if (!recipient.agrees) return drop('no_consent')
  const unasked = asked && reasonNotToAsk(asked)
  if (unasked) return drop(unasked)
  const found = message.lessons.map((lesson) => lessonToAnnounce(message, lesson, state))
  const lessons = found.filter((lesson) => typeof lesson !== 'string')
  const [reason] = found
  if (typeof reason === 'string' && lessons.length === 0) return drop(reason)
  if (worth_until <= now) return drop('past')
  const target = targetOf(recipient)
  if (!target) return drop('no_address')
  const { quiet } = settings
  const until = outsideQuiet({ kind: message.kind, lessons }, now, { quiet, timezone })
  if (until > now && !isOfLastMinute(message, state)) {
    if (until < worth_until) return { action: 'wait', until }
    if (urgencyOf(message.kind) === undefined) return drop('quiet')
  }
  return { action: 'send', ...target, lessons }
}

function isSent({ kind, reader, isCorrection }: DecidedMessage, settings: MessageSettings): boolean {
  if (kind === 'booked' && isCorrection && settings.cancelled) return true
  return isActionKind(kind) ? actionReaders(settings).some((one) => one === reader) : settings[kind]
}

function reasonNotToAsk({ has_page, has_answered, is_enrolled }: AskedStudent): DropReason | undefined {
  if (has_answered) return 'answered'
  if (!is_enrolled) return 'not_enrolled'
  return has_page ? undefined : 'withdrawn'
}

/** Whether a reminder that could not wait for the end of the quiet hours is due since the minute before they began. */
function isOfLastMinute(
  { kind }: DecidedMessage,
  { settings: { quiet }, timezone, now, worth_until }: PresentState,
): boolean {
  if (kind !== 'reminder' || !quiet || afterQuiet(now, quiet, timezone) < worth_until) return false
  return now.getTime() - quietSince(now, quiet, timezone).getTime() < LATE_REMINDER_MS
}

function targetOf({ channel, address }: ContactChannel): Target | undefined {
  if (channel === 'push') return { channel, to: null }
  return address === null || address === '' ? undefined : { channel, to: address }
}

/** Returns the lesson to announce, with its present facts, or the reason to drop it. */
function lessonToAnnounce(
  { kind, student_id }: DecidedMessage,
  lesson: MessageLesson,
  { expected, now, timezone }: PresentState,
): MessageLesson | DropReason {
  const present = expected.get(lesson.appointment_id)
  if (isActionKind(kind)) return present ? lesson : 'cancelled'
  const isExpected = present !== undefined && student_id !== null && present.students.has(student_id)
  const isPast = ({ start_at }: AnnouncedLesson) => start_at <= localNow(now, timezone)
  if (kind === 'cancelled') return isExpected ? 'planned' : isPast(lesson) ? 'past' : lesson
  if (!isExpected) return 'cancelled'
  const isStale =
    kind === 'reminder' ? !isSameAgreement(present, lesson) : lesson.was && isAnnouncedAs(present, lesson.was)
  if (isStale) return 'moved'
  return isPast(present) ? 'past' : { ...lesson, ...announcedFacts(present) }
}
