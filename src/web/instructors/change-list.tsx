import type { TFunction } from 'i18next'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { Format } from '../i18n/format.ts'
import { useSchool } from '../ui/school.tsx'
import css from './instructor-dialog.module.css'
import type { InstructorForm } from './instructor-form.ts'
import { weekdayName } from './weekday-name.ts'

type ChangeListProps = {
  readonly title: string
  readonly before: InstructorForm
  readonly after: InstructorForm
}

/** What a change is, field by field: what goes and what comes. Nothing where nothing has been changed. */
export function ChangeList({ title, before, after }: ChangeListProps) {
  const { format } = useSchool()
  const id = useId()
  const { t } = useTranslation()
  const [old, next] = [wordsOf(before, format, t), wordsOf(after, format, t)]
  const changes = next.flatMap(([label, words], index) => {
    const were = old[index]?.[1] ?? []
    const gone = were.filter((word) => !words.includes(word))
    const come = words.filter((word) => !were.includes(word))
    return gone.length + come.length > 0 ? [{ label, gone, come }] : []
  })
  if (changes.length === 0) return null
  return (
    <section className={css.group} aria-labelledby={id}>
      <h3 id={id} className={css.changesTitle}>
        {title}
      </h3>
      <ul className={css.changes}>
        {changes.map(({ label, gone, come }) => (
          <li key={label}>
            {label}:{' '}
            {gone.map((word) => (
              <del key={word}>{word}</del>
            ))}
            {come.map((word) => (
              <ins key={word}>{word}</ins>
            ))}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Every field as its label and what it holds, each entry of a list by itself. */
function wordsOf(form: InstructorForm, format: Format, t: TFunction): readonly [string, readonly string[]][] {
  const limit = (units: number | '') =>
    units === '' ? t('instructor.none') : t('lesson.units', { units: format.units(units) })
  const override = (units: number | '') => (units === '' ? t('instructor.noOverride') : limit(units))
  const minutes = (value: number | '') =>
    value === '' ? t('instructor.none') : t('lesson.minutes', { count: value })
  return [
    [t('person.firstName'), [form.first_name]],
    [t('person.lastName'), [form.last_name]],
    [t('person.phone'), [form.phone || '–']],
    [t('person.email'), [form.email || '–']],
    [t('instructor.classes'), [form.license_classes || '–']],
    [t('instructor.color'), [form.color]],
    [t('lesson.status'), [t(form.active ? 'instructor.active' : 'instructor.inactive')]],
    [t('instructor.perDay'), [limit(form.max_daily_units)]],
    [t('instructor.dailyOverride'), [override(form.max_daily_override)]],
    [t('instructor.perWeek'), [limit(form.max_weekly_units)]],
    [t('instructor.weeklyOverride'), [override(form.max_weekly_override)]],
    [t('instructor.break'), [minutes(Number(form.required_break_minutes))]],
    [t('instructor.continuous'), [minutes(form.max_continuous_minutes)]],
    [
      t('instructor.hours'),
      form.availability_windows.map(
        ({ weekday, start, end }) => `${weekdayName(weekday, format)} ${start}–${end}`,
      ),
    ],
    [
      t('instructor.vacations'),
      form.vacations.map(({ start_date, end_date, note }) =>
        [format.days(start_date, end_date), note].filter(Boolean).join(' '),
      ),
    ],
  ]
}
