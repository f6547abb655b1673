import { dateOf, dayOf, type LocalDateTime, localDateFor, minuteOf, timeOf } from './local-time.ts'
import type { MessageChannel, Reach } from './message-channels.ts'
import { instantOf, localNow } from './time-zone.ts'

export const MESSAGE_KINDS = [
  'booked',
  'moved',
  'cancelled',
  'reminder',
  'offer',
  'link',
  'day_plan',
] as const
export type MessageKind = (typeof MESSAGE_KINDS)[number]

/** The daily time without messages, by the school's clock; it may pass midnight. */
export type QuietHours = { readonly from: string; readonly to: string }

/** The kinds of messages that a school sends, and when. */
export type MessageSettings = Readonly<Record<MessageKind, boolean>> & {
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
  reminder_hours: [24, 2],
  quiet: null,
}

export type ToldLesson = {
  readonly appointment_id: string
  readonly start_at: LocalDateTime
  readonly end_at: LocalDateTime
  readonly instructor_id: string
}

/** A lesson in a message as it was told, and as it was before a move. */
export type MessageLesson = ToldLesson & { readonly was: Omit<ToldLesson, 'appointment_id'> | null }

/** A lesson with the students who are expected: none if it is cancelled or deleted. */
export type Expected = ToldLesson & { readonly students: ReadonlySet<string> }

export type NoticeKind = 'booked' | 'moved' | 'cancelled'

export function isNotice(kind: MessageKind): kind is NoticeKind {
  return kind === 'booked' || kind === 'moved' || kind === 'cancelled'
}

/** A message that a student should get about a lesson. */
export type Notice = {
  readonly kind: NoticeKind
  readonly student_id: string
  readonly lesson: MessageLesson
}

/** Returns the notice that takes a student from the known lesson, if any, to the present one, if one is due. */
export function noticeFor(
  student_id: string,
  known: ToldLesson | undefined,
  present: ToldLesson | undefined,
): Notice | undefined {
  if (!known) return present && { kind: 'booked', student_id, lesson: unmovedLesson(present) }
  if (!present) return { kind: 'cancelled', student_id, lesson: unmovedLesson(known) }
  return isToldAs(known, present)
    ? undefined
    : { kind: 'moved', student_id, lesson: { ...unmovedLesson(present), was: toldFacts(known) } }
}

/** Returns the lesson as the student knew it before a notice about it. */
export function knownBefore(kind: NoticeKind, { was, ...lesson }: MessageLesson): ToldLesson | undefined {
  if (kind === 'booked') return undefined
  return kind === 'moved' && was ? { ...was, appointment_id: lesson.appointment_id } : lesson
}

/** Returns the lesson as the student knows it after a notice about it. */
export function knownAfter(kind: NoticeKind, { was: _, ...lesson }: MessageLesson): ToldLesson | undefined {
  return kind === 'cancelled' ? undefined : lesson
}

/** Days after a change during which it is news. A mail server may be away for a weekend. */
const NEWS_DAYS = 3

/** Returns the end of the time in which a change is news. */
export function newsUntil(at: Date): Date {
  return new Date(at.getTime() + NEWS_DAYS * 86_400_000)
}

function unmovedLesson({ appointment_id, ...lesson }: ToldLesson): MessageLesson {
  return { appointment_id, ...toldFacts(lesson), was: null }
}

function toldFacts({ start_at, end_at, instructor_id }: Omit<ToldLesson, 'appointment_id'>) {
  return { start_at, end_at, instructor_id }
}

/** Whether a message about one still tells the truth about the other. */
export function isToldAs(one: Omit<ToldLesson, 'appointment_id'>, other: typeof one): boolean {
  return (
    one.start_at === other.start_at &&
    one.end_at === other.end_at &&
    one.instructor_id === other.instructor_id
  )
}

export type DecidedMessage = {
  readonly kind: MessageKind
  readonly student_id: string | null
  readonly lessons: readonly MessageLesson[]
  readonly hours: number | null
}

/** The present state that a message is decided by. `expected` has the lessons that are not deleted. */
export type PresentState = {
  readonly settings: MessageSettings
  readonly timezone: string
  readonly now: Date
  readonly worth_until: Date
  readonly recipient: (Reach & { readonly agrees: boolean }) | undefined
  readonly expected: ReadonlyMap<string, Expected>
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
] as const
export type DropReason = (typeof DROP_REASONS)[number]

export type MessageDecision =
  | {
      readonly action: 'send'
      readonly to: string
      readonly channel: MessageChannel
      readonly lessons: readonly MessageLesson[]
    }
  | { readonly action: 'wait'; readonly until: Date }
  | { readonly action: 'drop'; readonly reason: DropReason }

/** Decides on a message by the present state. It is asked again directly before sending. */
export function decideMessage(message: DecidedMessage, state: PresentState): MessageDecision {
  const { settings, timezone, now, recipient, worth_until } = state
  const drop = (reason: DropReason) => ({ action: 'drop', reason }) as const
  const isOff = message.hours !== null && !settings.reminder_hours.includes(message.hours)
  if (!settings[message.kind] || isOff) return drop('switched_off')
  if (!recipient) return drop('no_recipient')
  if (!recipient.agrees) return drop('no_consent')
  const found = message.lessons.map((lesson) => lessonToTell(message, lesson, state))
  const lessons = found.filter((lesson) => typeof lesson !== 'string')
  const [reason] = found
  if (typeof reason === 'string' && lessons.length === 0) return drop(reason)
  if (worth_until <= now) return drop('past')
  if (!recipient.address) return drop('no_address')
  const until = afterQuiet(now, settings.quiet, timezone)
  if (until > now) return until < worth_until ? { action: 'wait', until } : drop('quiet')
  return { action: 'send', to: recipient.address, channel: recipient.channel, lessons }
}

/** Returns the lesson as the message should tell of it now, or why it should not. */
function lessonToTell(
  { kind, student_id }: DecidedMessage,
  lesson: MessageLesson,
  { expected, now, timezone }: PresentState,
): MessageLesson | DropReason {
  const present = expected.get(lesson.appointment_id)
  const isExpected = present !== undefined && student_id !== null && present.students.has(student_id)
  const isPast = ({ start_at }: ToldLesson) => start_at <= localNow(now, timezone)
  if (kind === 'cancelled') return isExpected ? 'planned' : isPast(lesson) ? 'past' : lesson
  if (!isExpected) return 'cancelled'
  const isStale =
    kind === 'reminder' ? !isToldAs(present, lesson) : lesson.was && isToldAs(present, lesson.was)
  if (isStale) return 'moved'
  return isPast(present) ? 'past' : { ...lesson, ...toldFacts(present) }
}

/** Returns the end of the quiet hours that a time is in, or the time itself. */
export function afterQuiet(now: Date, quiet: QuietHours | null, timezone: string): Date {
  if (!quiet || quiet.from === quiet.to) return now
  const local = localNow(now, timezone)
  const [time, date] = [timeOf(local), dateOf(local)]
  const passesMidnight = quiet.from > quiet.to
  const isQuiet = passesMidnight
    ? time >= quiet.from || time < quiet.to
    : time >= quiet.from && time < quiet.to
  if (!isQuiet) return now
  const isNextDay = passesMidnight && time >= quiet.from
  const end = `${isNextDay ? localDateFor(dayOf(date) + 1) : date} ${quiet.to}`
  const first = instantOf(end, timezone)
  if (first > now.getTime()) return new Date(first)
  // Clocks went back: the end comes a second time, as many minutes from now as by the clock.
  const minute = Math.floor(now.getTime() / 60_000)
  return new Date((minute + minuteOf(end) - minuteOf(local)) * 60_000)
}

/** A reminder before the start of a lesson. It is worth sending until the next one is due. */
export type Reminder = { readonly hours: number; readonly send_at: Date; readonly worth_until: Date }

/** Returns a lesson's reminders whose moments lie after a time. Of those that quiet hours shift to one time, only the last. */
export function remindersOf(
  start_at: LocalDateTime,
  { reminder_hours, quiet }: Pick<MessageSettings, 'reminder_hours' | 'quiet'>,
  { timezone, after }: { readonly timezone: string; readonly after: Date },
): readonly Reminder[] {
  const start = instantOf(start_at, timezone)
  const moments = reminder_hours
    .toSorted((a, b) => b - a)
    .map((hours) => ({ hours, at: new Date(start - hours * 3_600_000) }))
    .filter(({ at }) => at > after)
    .map(({ hours, at }) => ({ hours, send_at: afterQuiet(at, quiet, timezone) }))
  return moments.flatMap((moment, index) => {
    const next = moments[index + 1]
    if (next && next.send_at <= moment.send_at) return []
    return [{ ...moment, worth_until: next?.send_at ?? new Date(start) }]
  })
}

/** The hour of the evening at which instructors get the plan of the next day. */
export const DAY_PLAN_HOUR = 18

/** Returns the day whose plan is due at a time, by the school's clock: the next one from the evening to midnight. */
export function plannedDay(now: Date, timezone: string): string | undefined {
  const local = localNow(now, timezone)
  const isEvening = Number(timeOf(local).slice(0, 2)) >= DAY_PLAN_HOUR
  return isEvening ? localDateFor(dayOf(dateOf(local)) + 1) : undefined
}
