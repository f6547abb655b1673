import { useTranslation } from 'react-i18next'
import { MISSED_REASONS, type SchoolNumbers } from '../data/numbers.ts'
import { nameOf, useSchool } from '../ui/school.tsx'
import { Bars, Figure } from './figure.tsx'
import { RowsLink } from './rows-link.tsx'
import { useFormats } from './use-formats.ts'

type FiguresProps = { readonly numbers: SchoolNumbers; readonly before: SchoolNumbers | undefined }

/** The plots of lessons: free capacity, lessons by type, and those that did not take place. */
export function LessonFigures(props: FiguresProps) {
  return (
    <>
      <FreeCapacity {...props} />
      <ByType {...props} />
      <Missed {...props} />
    </>
  )
}

function FreeCapacity({ numbers: { free } }: FiguresProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const { hours, week: weekName } = useFormats()
  const weeks = [...Map.groupBy(free, ({ week }) => week)].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const personName = (id: string) => {
    const person = school.instructor.get(id)
    return person ? nameOf(person) : ''
  }
  return (
    <Figure
      title={t('numbers.free.title')}
      about={t('numbers.free.about')}
      columns={[t('field.instructor'), t('field.week'), t('numbers.freeHours')]}
      rows={free.map((one) => ({
        key: `${one.week} ${one.instructor_id}`,
        name: personName(one.instructor_id),
        cells: [
          weekName(one.week),
          <RowsLink key="rows" rows={one.rows}>
            {school.format.duration(one.minutes)}
          </RowsLink>,
        ],
      }))}
    >
      <Bars
        label={t('numbers.free.title')}
        bars={weeks.map(([week, own]) => {
          const value = own.reduce((sum, { minutes }) => sum + minutes, 0)
          return { key: week, name: weekName(week), value, text: hours(value) }
        })}
      />
    </Figure>
  )
}

function ByType({ numbers, before }: FiguresProps) {
  const { lessonType, format } = useSchool()
  const { t } = useTranslation()
  const typeName = (id: string) => lessonType.get(id)?.name ?? ''
  const earlier = new Map(before?.by_type.map(({ lesson_type_id, count }) => [lesson_type_id, count]))
  const types = numbers.by_type.toSorted((a, b) => b.count - a.count)
  const beforeOf = (id: string) => (before ? (earlier.get(id) ?? 0) : undefined)
  return (
    <Figure
      title={t('numbers.byType.title')}
      about={t('numbers.byType.about')}
      columns={[
        t('field.lesson_type'),
        t('numbers.count'),
        t('numbers.hoursColumn'),
        t('numbers.beforeColumn'),
      ]}
      rows={types.map((one) => ({
        key: one.lesson_type_id,
        name: typeName(one.lesson_type_id),
        cells: [
          <RowsLink key="rows" rows={one.rows}>
            {format.units(one.count)}
          </RowsLink>,
          format.duration(one.minutes),
          beforeOf(one.lesson_type_id) ?? '–',
        ],
      }))}
    >
      <Bars
        label={t('numbers.byType.title')}
        bars={types.map(({ lesson_type_id, count }) => ({
          key: lesson_type_id,
          name: typeName(lesson_type_id),
          value: count,
          before: beforeOf(lesson_type_id),
          text: format.units(count),
        }))}
      />
    </Figure>
  )
}

function Missed({ numbers: { missed }, before }: FiguresProps) {
  const { format } = useSchool()
  const { t } = useTranslation()
  return (
    <Figure
      title={t('numbers.missed.title')}
      about={t('numbers.missed.about')}
      columns={[t('field.missed_kind'), t('numbers.count'), t('numbers.beforeColumn')]}
      rows={MISSED_REASONS.map((kind) => ({
        key: kind,
        name: t(`numbers.missed.${kind}`),
        cells: [
          <RowsLink key="rows" rows={missed.rows[kind]}>
            {format.units(missed[kind])}
          </RowsLink>,
          before?.missed[kind] ?? '–',
        ],
      }))}
    >
      <Bars
        label={t('numbers.missed.title')}
        bars={MISSED_REASONS.map((kind) => ({
          key: kind,
          name: t(`numbers.missed.${kind}`),
          value: missed[kind],
          before: before?.missed[kind],
          text: format.units(missed[kind]),
        }))}
      />
    </Figure>
  )
}
