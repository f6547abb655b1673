import { useTranslation } from 'react-i18next'
import type { SchoolNumbers } from '../data/numbers.ts'
import { useSchool } from '../ui/school.tsx'
import css from './numbers-page.module.css'
import { useFormats } from './use-formats.ts'

type Sums = {
  readonly lessons: number
  readonly worked: number
  readonly use: number | null
  readonly missed: number
}

type SummaryProps = { readonly numbers: SchoolNumbers; readonly before: SchoolNumbers | undefined }

/** The sums of the period, each with that of the period before. */
export function Summary({ numbers, before }: SummaryProps) {
  const { format } = useSchool()
  const { t } = useTranslation()
  const { percent, hours } = useFormats()
  const [now, then] = [sumsOf(numbers), before && sumsOf(before)]
  const free = numbers.free.reduce((sum, { minutes }) => sum + minutes, 0)
  const count = (value: number) => format.units(value)
  const share = (value: number | null) => (value === null ? '–' : percent(value))
  const tiles = [
    { name: 'lessons', value: count(now.lessons), before: then && count(then.lessons) },
    { name: 'worked', value: hours(now.worked), before: then && hours(then.worked) },
    { name: 'use', value: share(now.use), before: then && share(then.use) },
    { name: 'missed', value: count(now.missed), before: then && count(then.missed) },
    { name: 'free', value: hours(free), before: undefined },
  ] as const
  return (
    <dl className={css.tiles}>
      {tiles.map(({ name, value, before: earlier }) => (
        <div key={name}>
          <dt>{t(`numbers.sum.${name}`)}</dt>
          <dd>{value}</dd>
          <dd className={css.about}>
            {name === 'free' ? t('numbers.comingWeeks') : earlier && t('numbers.before', { value: earlier })}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Sums up a period. The use counts only instructors with working hours. */
function sumsOf({ use, by_type, missed }: SchoolNumbers): Sums {
  const known = use.filter((one) => one.available_minutes !== null)
  const sum = (list: readonly number[]) => list.reduce((total, one) => total + one, 0)
  const available = sum(known.map((one) => one.available_minutes ?? 0))
  return {
    lessons: sum(by_type.map(({ count }) => count)),
    worked: sum(use.map(({ worked_minutes }) => worked_minutes)),
    use: available === 0 ? null : sum(known.map(({ worked_minutes }) => worked_minutes)) / available,
    missed: missed.no_show + missed.cancelled_late,
  }
}
