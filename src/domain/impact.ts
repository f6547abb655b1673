import { type CountedAppointment, type InstructorRules, type TimedAppointment, timed } from './agenda.ts'
import { verdictOnTimed } from './booking.ts'
import type { Interval } from './interval.ts'
import type { LocalDateTime, Minute } from './local-time.ts'
import { APPOINTMENT_MINUTES } from './ranges.ts'
import type { Refusal } from './refusal.ts'
import type { Steps } from './steps.ts'
import { sufficientBreakMinutes } from './stretch.ts'
import { surroundingsOf } from './surroundings.ts'

/** An instructor's rules before and after a change, and the counted appointments. */
export type RuleChange = {
  readonly unit_minutes: number
  readonly before: InstructorRules
  readonly after: InstructorRules
  /** All counted ones within the surroundings or the stretch of each checked one. */
  readonly appointments: readonly CountedAppointment[]
}

/** An appointment, and the rules that it breaks only after the change. */
export type AffectedAppointment = {
  readonly id: string
  readonly start_at: LocalDateTime
  readonly refusals: readonly Refusal[]
  /** Whether it is one of those without which all others keep the rules: of a day with too many units, the last ones. */
  readonly isSufficient: boolean
}

/** The number of checked appointments, and the affected ones by start. */
export type Impact = { readonly checked: number; readonly affected: readonly AffectedAppointment[] }

/** Returns the effect on appointments after `now`. Checks only the instructor's rules; appointments must not overlap. */
export function* impactOf({ appointments, ...change }: RuleChange, now: LocalDateTime): Steps<Impact> {
  const sorted: TimedAppointment[] = []
  for (const appointment of appointments) {
    sorted.push(timed(appointment))
    yield
  }
  sorted.sort((a, b) => a.start - b.start)
  yield
  const refusalsBefore = refusalsUnder(change.before, change.unit_minutes, sorted)
  yield
  const refusalsAfter = refusalsUnder(change.after, change.unit_minutes, sorted)
  const found: (Omit<AffectedAppointment, 'isSufficient'> & {
    readonly index: number
    readonly isNew: IsNew
  })[] = []
  let checked = 0
  for (const [index, { source }] of sorted.entries()) {
    if (source.start_at <= now) continue
    yield
    checked += 1
    const broken = refusalsAfter(index)
    // Most break no rule, so the old rules are rarely checked.
    const today = broken.length === 0 ? [] : refusalsBefore(index).map(({ code }) => code)
    const isNew: IsNew = ({ code }) => !today.includes(code)
    const refusals = broken.filter(isNew)
    if (refusals.length > 0) found.push({ id: source.id, start_at: source.start_at, refusals, index, isNew })
  }
  const leaving = new Set<TimedAppointment>()
  // As if they were booked again in order; then those that an appointment after them still breaks a rule with.
  for (const isForward of [true, false])
    for (const { index, isNew } of found) {
      const one = sorted[index]
      yield
      if (one && !leaving.has(one) && refusalsAfter(index, { leaving, isForward }).some(isNew))
        leaving.add(one)
    }
  const affected = found.map(({ index, isNew: _, ...one }) => {
    return { ...one, isSufficient: leaving.has(sorted[index] as TimedAppointment) }
  })
  return { checked, affected }
}

const NONE: ReadonlySet<TimedAppointment> = new Set()

type IsNew = (refusal: Refusal) => boolean

/** The appointments that leave, and whether only those before the checked one count. */
type Others = { readonly leaving: ReadonlySet<TimedAppointment>; readonly isForward: boolean }

/** Returns a function that lists broken rules. It reads only an appointment's surroundings: all checks take linear time. */
function refusalsUnder(
  instructor: InstructorRules,
  unit_minutes: number,
  sorted: readonly TimedAppointment[],
): (index: number, among?: Others) => readonly Refusal[] {
  const stretches = stretchesOf(sorted, sufficientBreakMinutes(instructor))
  return (index, { leaving, isForward } = { leaving: NONE, isForward: false }) => {
    const [one, stretch] = [sorted[index], stretches[index]]
    if (!one || !stretch) return []
    const surroundings = surroundingsOf(one)
    const first = firstFrom(sorted, surroundings.start - APPOINTMENT_MINUTES.max)
    const end = firstFrom(sorted, surroundings.end)
    const appointments = [
      ...(stretch.first < first ? mergedStretch(sorted[stretch.first], sorted[first - 1]) : []),
      ...sorted.slice(first, index).filter((other) => !leaving.has(other)),
      ...(isForward ? [] : sorted.slice(index + 1, end).filter((other) => !leaving.has(other))),
      ...(stretch.last >= end && !isForward ? mergedStretch(sorted[end], sorted[stretch.last]) : []),
    ]
    const occupied = [{ kind: 'instructor', id: instructor.id, appointments }] as const
    return verdictOnTimed(one, { unit_minutes, instructor, occupied }).refusals
  }
}

type Stretch = { readonly first: number; last: number }

function stretchesOf(sorted: readonly TimedAppointment[], pause: number): readonly Stretch[] {
  const stretches: Stretch[] = []
  for (const [index, { start }] of sorted.entries()) {
    const [before, stretch] = [sorted[index - 1], stretches[index - 1]]
    const isJoined = before !== undefined && stretch !== undefined && start - before.end < pause
    if (isJoined) stretch.last = index
    stretches.push(isJoined ? stretch : { first: index, last: index })
  }
  return stretches
}

/** Merges the part of a stretch beyond the surroundings into one appointment: a stretch may last for years. */
function mergedStretch(first: TimedAppointment | undefined, last: TimedAppointment | undefined) {
  if (!first || !last) return []
  return [{ start: first.start, end: last.end, source: { ...first.source, counts_toward_limits: false } }]
}

function firstFrom(sorted: readonly Interval[], minute: Minute): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle]?.start ?? minute) < minute) low = middle + 1
    else high = middle
  }
  return low
}
