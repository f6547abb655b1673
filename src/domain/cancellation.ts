import type { WorkingDays } from './closed-days.ts'
import { dateOf, daysLater, type LocalDateTime, type TimeOfDay, timeOf } from './local-time.ts'
import { instantOf, localNow } from './time-zone.ts'

/** The required notice of a cancellation: hours, working days, or days before, until a time of day. */
export type NoticePeriod =
  | { readonly hours: number }
  | { readonly working_days: number }
  | { readonly days_before: number; readonly until: TimeOfDay; readonly working?: boolean }

type StepBase = {
  /** Categories of lesson types; null for all. */
  readonly categories: readonly string[] | null
  readonly fee_percent: number
}

/** A step of a school's policy: its lessons, their notice, and the fee if it is missed. */
export type NoticeStep = StepBase & { readonly notice: NoticePeriod; readonly no_show?: undefined }

export type NoShowStep = StepBase & { readonly no_show: true; readonly notice?: undefined }

export type PolicyStep = NoticeStep | NoShowStep

/** A school's steps. The first one for the lesson whose notice was missed sets the fee. */
export type CancellationPolicy = readonly PolicyStep[]

export const CANCELLED_BY = ['student', 'school'] as const
export const CANCELLATION_REASONS = ['illness', 'weather', 'vehicle', 'other'] as const

export type CancellationAct = {
  readonly by: (typeof CANCELLED_BY)[number]
  readonly reason: (typeof CANCELLATION_REASONS)[number] | null
  readonly note: string | null
  readonly at: Date
  readonly charge: boolean | null
}

/** Returns a cancellation by the school, without a fee. */
export function bySchool(at: Date): CancellationAct {
  return { by: 'school', reason: null, note: null, at, charge: null }
}

export type Cancellation = Omit<CancellationAct, 'at' | 'charge'> & {
  /** UTC, RFC 3339. */
  readonly at: string
  /** Whole minutes from the cancellation to the start; negative after it. */
  readonly notice_minutes: number
  readonly is_late: boolean
  readonly fee_percent: number
  readonly charged: boolean
}

export type CancelledLesson = { readonly start_at: LocalDateTime; readonly category: string }

export type CancellationTerms = {
  readonly policy: CancellationPolicy
  readonly timezone: string
  readonly workingDays: WorkingDays
}

const MS_PER_MINUTE = 60_000
const WHOLE_FEE = 100

/**
 * Returns the cancellation under the school's policy. Lateness depends only on time. No fee is proposed for illness or a
 * cancellation by the school. The decision in `charge` overrides the proposal.
 */
export function cancellationFor(
  lesson: CancelledLesson,
  { charge, at, ...act }: CancellationAct,
  terms: CancellationTerms,
): Cancellation {
  const steps = noticeStepsOf(terms.policy).filter((step) => fits(step, lesson))
  const missed = steps.find(({ notice }) => at.getTime() > lastMomentFor(notice, lesson.start_at, terms))
  const isFree = act.reason === 'illness' || act.by === 'school'
  const proposed = isFree ? 0 : (missed?.fee_percent ?? 0)
  const fee_percent = feeFor(charge, proposed, steps)
  const start = instantOf(lesson.start_at, terms.timezone)
  // In the key order of jsonb, as an erasure stores it.
  return {
    at: at.toISOString(),
    by: act.by,
    note: act.note,
    reason: act.reason,
    charged: fee_percent > 0,
    is_late: missed !== undefined || (terms.policy.length > 0 && at.getTime() > start),
    fee_percent,
    notice_minutes: Math.floor((start - at.getTime()) / MS_PER_MINUTE),
  }
}

/** Returns the fee of a no-show: by its own step, otherwise by the first notice, since all were missed; or as decided. */
export function noShowFeeFor(
  lesson: Pick<CancelledLesson, 'category'>,
  charge: boolean | null,
  policy: CancellationPolicy,
): number {
  const steps = policy.filter((step) => fits(step, lesson))
  const step = steps.find(({ no_show }) => no_show) ?? steps[0]
  return feeFor(charge, step?.fee_percent ?? 0, steps)
}

/** The days around a period whose lessons can have fees that arose in it: the longest notice, and late records. */
export const DAYS_AROUND_FEES = 120

/** Returns the wall-clock time at which a fee arose: that of the late cancellation, or the start of the missed lesson. */
export function feeAroseAt(
  {
    start_at,
    cancellation,
  }: Pick<CancelledLesson, 'start_at'> & { readonly cancellation: Cancellation | null },
  timezone: string,
): LocalDateTime {
  return cancellation ? localNow(new Date(cancellation.at), timezone) : start_at
}

export function feeOf({
  cancellation,
  no_show_fee_percent,
}: {
  readonly cancellation: Cancellation | null
  readonly no_show_fee_percent: number | null
}): number | null {
  return cancellation ? cancellation.fee_percent : no_show_fee_percent
}

export function noticeStepsOf(policy: CancellationPolicy): readonly NoticeStep[] {
  return policy.filter((step) => step.notice !== undefined)
}

/** Whether any notice of the policy counts working days, which requires the school's closed days. */
export function countsWorkingDays(policy: CancellationPolicy): boolean {
  return noticeStepsOf(policy).some(
    ({ notice }) => 'working_days' in notice || ('until' in notice && notice.working),
  )
}

/** Returns the last moment for cancelling a lesson in time, in UTC milliseconds; never after its start. */
export function lastMomentFor(
  notice: NoticePeriod,
  start_at: LocalDateTime,
  { timezone, workingDays }: Omit<CancellationTerms, 'policy'>,
): number {
  const start = instantOf(start_at, timezone)
  if ('hours' in notice) return start - notice.hours * 60 * MS_PER_MINUTE
  if ('working_days' in notice) {
    const date = workingDays.before(dateOf(start_at), notice.working_days)
    return Math.min(start, instantOf(`${date} ${timeOf(start_at)}`, timezone))
  }
  const { days_before, until, working = false } = notice
  const date = working
    ? workingDays.before(dateOf(start_at), days_before)
    : daysLater(dateOf(start_at), -days_before)
  return Math.min(start, instantOf(`${date} ${until}`, timezone))
}

function fits({ categories }: PolicyStep, { category }: Pick<CancelledLesson, 'category'>): boolean {
  return categories === null || categories.includes(category)
}

/** Returns the fee after the decision. If none was proposed, charging takes the highest fee of the steps, or 100 %. */
function feeFor(charge: boolean | null, proposed: number, steps: readonly PolicyStep[]): number {
  if (charge === false) return 0
  if (charge === null || proposed > 0) return proposed
  return Math.max(0, ...steps.map(({ fee_percent }) => fee_percent)) || WHOLE_FEE
}
