import type { NoticePeriod, PolicyStep } from '../../../domain/cancellation.ts'
import type { TimeOfDay } from '../../../domain/local-time.ts'

export const NOTICE_KINDS = ['hours', 'working_days', 'days_before'] as const

/** A step of the policy in the form; without categories it applies to all lessons. */
export type StepForm = {
  readonly categories: readonly string[]
  readonly kind: (typeof NOTICE_KINDS)[number]
  readonly count: number | ''
  readonly until: TimeOfDay | ''
  readonly working: boolean
  readonly fee_percent: number | ''
}

/** The default number for each kind of notice. */
export const USUAL = { hours: 48, working_days: 2, days_before: 1 } as const

export const NEW_STEP: StepForm = {
  categories: [],
  kind: 'hours',
  count: USUAL.hours,
  until: '13:00',
  working: true,
  fee_percent: 80,
}

export function stepFormOf({ categories, notice, fee_percent }: PolicyStep): StepForm {
  return { ...NEW_STEP, categories: categories ?? [], ...noticeFormOf(notice), fee_percent }
}

function noticeFormOf(notice: NoticePeriod): Partial<StepForm> {
  if ('hours' in notice) return { kind: 'hours', count: notice.hours }
  if ('working_days' in notice) return { kind: 'working_days', count: notice.working_days }
  const { days_before, until, working = false } = notice
  return { kind: 'days_before', count: days_before, until, working }
}

export function stepOf({ categories, fee_percent, ...form }: StepForm): PolicyStep {
  return {
    categories: categories.length > 0 ? [...categories] : null,
    notice: noticeOf(form),
    fee_percent: Number(fee_percent),
  }
}

export function noticeOf({
  kind,
  count,
  until,
  working,
}: Omit<StepForm, 'categories' | 'fee_percent'>): NoticePeriod {
  if (kind === 'hours') return { hours: Number(count) }
  if (kind === 'working_days') return { working_days: Number(count) }
  return { days_before: Number(count), until, ...(working && { working }) }
}

/** Whether a step is filled in. */
export function isWholeStep({ count, kind, until, fee_percent }: StepForm): boolean {
  return count !== '' && fee_percent !== '' && (kind !== 'days_before' || until !== '')
}
