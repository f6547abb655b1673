import type { TFunction } from 'i18next'
import type { Tenant } from '../../contract/tenant.ts'
import type { Cancellation, NoticePeriod, PolicyStep } from '../../domain/cancellation.ts'
import { type Field, NOTHING } from './field-kinds.ts'
import { momentText } from './moment-text.ts'
import type { School } from './school.tsx'

/** Returns party, time and reason of a cancellation, then the fee. */
export function cancellationText(
  { by, reason, at, is_late, fee_percent, charged }: Cancellation,
  school: School,
  t: TFunction,
): readonly [act: string, fee: string] {
  const why = reason ? [t(`cancellation.because.${reason}`)] : []
  const fee = feeText(charged ? fee_percent : 0, school, t)
  return [
    [t(`cancellation.by.${by}`), momentText(at, school), ...why].join(' · '),
    `${t(is_late ? 'cancellation.late' : 'cancellation.inTime')} · ${fee}`,
  ]
}

/** The fee of a no-show; undecided before fees were recorded. */
export const NO_SHOW_FEE: Field<number | null> = {
  label: 'cancellation.noShowFee',
  texts: (percent, school, t) => [feeText(percent, school, t)],
}

export function feeText(percent: number | null, { format }: School, t: TFunction): string {
  if (percent === null) return NOTHING
  return percent > 0
    ? t('cancellation.fee', { percent: format.percent(percent / 100) })
    : t('cancellation.noFee')
}

export const CANCELLATION: Field<Cancellation | null> = {
  label: 'cancellation.one',
  texts: (cancellation, school, t) =>
    cancellation === null
      ? [NOTHING]
      : [...cancellationText(cancellation, school, t), ...(cancellation.note ? [cancellation.note] : [])],
}

/** The categories that have a name in this app; for others the code is shown. */
const CATEGORIES = [
  'practical',
  'special',
  'simulator',
  'theory',
  'theory_exam',
  'practical_exam',
  'course',
  'seminar',
  'internal',
] as const

export function categoryName(category: string, t: TFunction): string {
  const known = CATEGORIES.find((one) => one === category)
  return known ? t(`policy.category.${known}`) : category
}

/** Returns the last moment of a notice in words, such as "48 hours before". */
export function noticeText(notice: NoticePeriod, t: TFunction): string {
  if ('hours' in notice) return t('policy.hours', { count: notice.hours })
  if ('working_days' in notice) return t('policy.workingDays', { count: notice.working_days })
  const { days_before: count, until, working } = notice
  return t(working ? 'policy.workingDaysUntil' : 'policy.daysUntil', { count, until })
}

export const POLICY: Field<Tenant['cancellation_policy']> = {
  label: 'policy.title',
  texts: (steps, school, t) =>
    steps.length === 0 ? [NOTHING] : steps.map((step) => stepText(step, school, t)),
}

function stepText({ categories, notice, fee_percent }: PolicyStep, { format }: School, t: TFunction): string {
  const lessons = categories?.map((one) => categoryName(one, t)).join(', ') || t('policy.allLessons')
  const percent = format.percent(fee_percent / 100)
  if (!notice) return t('policy.noShowStep', { lessons, percent })
  return t('policy.step', { lessons, notice: noticeText(notice, t), percent })
}
