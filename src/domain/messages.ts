import { dateOf, dayOf, type LocalDateTime, localDateFor, timeOf } from './local-time.ts'
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

/** The facts of a lesson that its messages tell. */
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

/** The consequence of a change for one student. */
export type Notice = {
  readonly kind: 'booked' | 'moved' | 'cancelled'
  readonly student_id: string
  readonly lesson: MessageLesson
}

/** Returns the notices of a change of one lesson at a time; none about lessons that have begun. */
export function noticesOf(
  before: Expected | undefined,
  after: Expected | undefined,
  now: LocalDateTime,
): readonly Notice[] {
  const [former, present] = [studentsOf(before), studentsOf(after)]
  const notices: Notice[] = []
  if (after && after.start_at > now) {
    const isMoved = before !== undefined && !isToldAs(before, after)
    for (const student_id of present) {
      if (!former.has(student_id)) notices.push({ kind: 'booked', student_id, lesson: told(after) })
      else if (isMoved) notices.push({ kind: 'moved', student_id, lesson: told(after, before) })
    }
  }
  if (before && before.start_at > now)
    for (const student_id of former)
      if (!present.has(student_id)) notices.push({ kind: 'cancelled', student_id, lesson: told(before) })
  return notices
}

function studentsOf(lesson: Expected | undefined): ReadonlySet<string> {
  return lesson?.students ?? new Set()
}

function told({ appointment_id, ...lesson }: Expected, former?: Expected): MessageLesson {
  return { appointment_id, ...facts(lesson), was: former ? facts(former) : null }
}

function facts({ start_at, end_at, instructor_id }: Omit<ToldLesson, 'appointment_id'>) {
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

/** A message to decide on. */
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
  /** Undefined if the recipient is deleted. */
  readonly recipient: { readonly email: string | null; readonly agrees: boolean } | undefined
  readonly expected: ReadonlyMap<string, Expected>
}

/** Why a message is dropped. */
export const DROP_REASONS = [
  'switched_off',
  'no_recipient',
  'no_consent',
  'no_address',
  'cancelled',
  'moved',
  'planned',
  'past',
  'quiet',
  'withdrawn',
] as const
export type DropReason = (typeof DROP_REASONS)[number]

export type MessageDecision =
  | { readonly action: 'send'; readonly to: string; readonly lessons: readonly MessageLesson[] }
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
  const stale = message.lessons.map((lesson) => staleness(message, lesson, state))
  const lessons = message.lessons.filter((_, at) => stale[at] === undefined)
  const [reason] = stale
  if (reason && lessons.length === 0) return drop(reason)
  if (worth_until <= now) return drop('past')
  if (!recipient.email) return drop('no_address')
  const until = afterQuiet(now, settings.quiet, timezone)
  if (until > now) return until < worth_until ? { action: 'wait', until } : drop('quiet')
  return { action: 'send', to: recipient.email, lessons }
}

/** Returns why a message must not tell of a lesson any more, or undefined. */
function staleness(
  { kind, student_id }: DecidedMessage,
  lesson: MessageLesson,
  { expected, now, timezone }: PresentState,
): DropReason | undefined {
  const present = expected.get(lesson.appointment_id)
  const isExpected = present !== undefined && student_id !== null && present.students.has(student_id)
  if (kind === 'cancelled' && isExpected) return 'planned'
  if (kind !== 'cancelled') {
    if (!isExpected) return 'cancelled'
    if (!isToldAs(present, lesson) || (lesson.was && isToldAs(present, lesson.was))) return 'moved'
  }
  return lesson.start_at <= localNow(now, timezone) ? 'past' : undefined
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
  const end = isNextDay ? localDateFor(dayOf(date) + 1) : date
  return new Date(instantOf(`${end} ${quiet.to}`, timezone))
}

/** Returns the moments of a lesson's reminders that lie after a time. */
export function remindersOf(
  start_at: LocalDateTime,
  { reminder_hours }: Pick<MessageSettings, 'reminder_hours'>,
  { timezone, after }: { readonly timezone: string; readonly after: Date },
): readonly { readonly hours: number; readonly at: Date }[] {
  const start = instantOf(start_at, timezone)
  return reminder_hours
    .map((hours) => ({ hours, at: new Date(start - hours * 3_600_000) }))
    .filter(({ at }) => at > after)
}

/** The hour of the evening at which instructors get the plan of the next day. */
export const DAY_PLAN_HOUR = 18

/** Returns the day whose plan is due at a time, by the school's clock: the next one in the evening. */
export function plannedDay(now: Date, timezone: string): string {
  const local = localNow(now, timezone)
  const isEvening = Number(timeOf(local).slice(0, 2)) >= DAY_PLAN_HOUR
  return localDateFor(dayOf(dateOf(local)) + (isEvening ? 1 : 0))
}
