import type { NoticePeriod, PolicyStep } from '../../domain/cancellation.ts'
import type { TimeOfDay } from '../../domain/local-time.ts'

export const NOTICE_KINDS = ['hours', 'working_days', 'days_before'] as const
export const STEP_KINDS = [...NOTICE_KINDS, 'no_show'] as const

/** A step of the policy in the form; without categories it applies to all lessons. */
export type StepForm = {
  readonly categories: readonly string[]
  readonly kind: (typeof STEP_KINDS)[number]
  readonly count: number | ''
  /** The numbers of the other kinds of notice, which return with their kind. */
  readonly counts: Readonly<Partial<Record<StepForm['kind'], number | ''>>>
  readonly until: TimeOfDay | ''
  readonly working: boolean
  readonly fee_percent: number | ''
}

/** The default number for each kind of notice. */
const USUAL = { hours: 48, working_days: 2, days_before: 1, no_show: '' } as const

export const NEW_STEP: StepForm = {
  categories: [],
  kind: 'hours',
  count: USUAL.hours,
  counts: {},
  until: '13:00',
  working: true,
  fee_percent: 80,
}

export function stepFormOf({ categories, notice, fee_percent }: PolicyStep): StepForm {
  return { ...NEW_STEP, categories: categories ?? [], ...noticeFormOf(notice), fee_percent }
}

function noticeFormOf(notice: NoticePeriod | undefined): Partial<StepForm> {
  if (!notice) return { kind: 'no_show', count: '' }
  if ('hours' in notice) return { kind: 'hours', count: notice.hours }
  if ('working_days' in notice) return { kind: 'working_days', count: notice.working_days }
  const { days_before, until, working = false } = notice
  return { kind: 'days_before', count: days_before, until, working }
}

export function stepOf({ categories, fee_percent, ...form }: StepForm): PolicyStep {
  const step = {
    categories: categories.length > 0 ? [...categories] : null,
    fee_percent: Number(fee_percent),
  }
  return form.kind === 'no_show' ? { ...step, no_show: true } : { ...step, notice: noticeOf(form) }
}

export function noticeOf({
  kind,
  count,
  until,
  working,
}: Omit<StepForm, 'categories' | 'fee_percent' | 'counts'>): NoticePeriod {
  if (kind === 'hours') return { hours: Number(count) }
  if (kind === 'working_days') return { working_days: Number(count) }
  return { days_before: Number(count), until, ...(working && { working }) }
}

/** Applies another kind of notice with the number that it had before, or its usual one. */
export function withKind(step: StepForm, kind: StepForm['kind']): StepForm {
  const counts = { ...step.counts, [step.kind]: step.count }
  return { ...step, kind, count: counts[kind] ?? USUAL[kind], counts }
}

export function isWholeStep({ count, kind, until, fee_percent }: StepForm): boolean {
  const isNoticeWhole = kind === 'no_show' || (count !== '' && (kind !== 'days_before' || until !== ''))
  return isNoticeWhole && fee_percent !== ''
}
