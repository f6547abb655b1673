import { useQueries } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../../contract/appointment.ts'
import type { Instructor } from '../../../contract/instructor.ts'
import type { Progress } from '../../../contract/progress.ts'
import { isCounted } from '../../../domain/counted.ts'
import { dateOf, daysLater, type LocalDate } from '../../../domain/local-time.ts'
import { localToday } from '../../../domain/time-zone.ts'
import { progressOfStudent } from '../../data/progress.ts'
import { useWeek } from '../../lessons/use-week.ts'
import { Button } from '../../ui/button.tsx'
import { OptionSelect } from '../../ui/option-select.tsx'
import page from '../../ui/page.module.css'
import { PageHeading } from '../../ui/page-heading.tsx'
import { nameOf, useSchool } from '../../ui/school.tsx'
import { Empty, Failure, Loading } from '../../ui/states.tsx'
import { DaySheet } from './day-sheet.tsx'
import css from './day-sheet-page.module.css'
import type { DaySheetSearch } from './day-sheet-search.ts'

const route = getRouteApi('/day-sheet')
const NO_LESSONS = [] as const

/** Shows the printable day of one instructor, or of all with lessons, a page each. */
export function DaySheetPage() {
  const { tenant, instructors } = useSchool()
  const { t } = useTranslation()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const day = search.day ?? localToday(new Date(), tenant.timezone)
  const { lessons = NO_LESSONS, week = NO_LESSONS, error, isError, refetch, isRead } = useDay(day)
  const shown = instructors.filter(({ id }) =>
    search.instructor === undefined
      ? lessons.some((lesson) => lesson.instructor_id === id && isCounted(lesson))
      : id === search.instructor,
  )
  const progress = useProgress(
    lessons.filter(({ instructor_id }) => shown.some(({ id }) => id === instructor_id)),
  )
  const go = (change: DaySheetSearch) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true })
  return (
    <div className={css.page}>
      <Controls {...{ search, day, go }} isReady={isRead && progress.isRead} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: must be focusable to scroll by keys */}
      <div className={css.sheets} tabIndex={0}>
        {shown.map((instructor) => (
          <DaySheet key={instructor.id} {...{ instructor, day, lessons, week }} progress={progress.of} />
        ))}
        {!isRead && (isError ? <Failure error={error} retry={refetch} /> : <Loading />)}
        {isRead && shown.length === 0 && <Empty text={t('daySheet.none')} />}
      </div>
    </div>
  )
}

function useDay(day: LocalDate) {
  const { lessons: week, ...state } = useWeek(day)
  const lessons = week?.filter(({ start_at }) => dateOf(start_at) === day)
  return { ...state, lessons, week, isRead: week !== undefined }
}

/** Returns the progress of the lessons' students, without any that cannot be read. */
function useProgress(lessons: readonly Appointment[]) {
  const ids = [...new Set(lessons.flatMap(({ student_id }) => student_id ?? []))]
  return useQueries({
    queries: ids.map(progressOfStudent),
    combine: (results) => ({
      isRead: results.every(({ isPending }) => !isPending),
      of: new Map(
        results.flatMap(({ data }, index): [string, Progress][] => (data ? [[ids[index] ?? '', data]] : [])),
      ),
    }),
  })
}

type ControlsProps = {
  readonly search: DaySheetSearch
  readonly day: LocalDate
  readonly isReady: boolean
  readonly go: (change: DaySheetSearch) => void
}

/** Shows the fields for day and instructor; not printed. */
function Controls({ search, day, isReady, go }: ControlsProps) {
  const { format, instructors } = useSchool()
  const { t } = useTranslation()
  const isOffered = ({ active, id }: Instructor) => active || id === search.instructor
  return (
    <div className={`${page.bar} ${css.controls}`}>
      <PageHeading title={t('sheet.title')} />
      <div className={css.days}>
        <Button
          icon="chevronLeft"
          aria-label={t('board.earlierDay')}
          onClick={() => go({ day: daysLater(day, -1) })}
        />
        <Button
          icon="chevronRight"
          aria-label={t('board.laterDay')}
          onClick={() => go({ day: daysLater(day, 1) })}
        />
        <strong>{format.longDay(day)}</strong>
      </div>
      <OptionSelect
        label={t('field.instructor')}
        value={search.instructor ?? ''}
        options={[['', t('daySheet.everybody')], ...instructors.filter(isOffered).map(optionOf)]}
        onChange={(instructor) => go({ instructor: instructor || undefined })}
      />
      <span className={page.space} />
      <Link to="/" search={{ date: day }} className={css.back}>
        {t('daySheet.toBoard')}
      </Link>
      <Button look="primary" icon="print" isBusy={!isReady} onClick={() => window.print()}>
        {t('action.print')}
      </Button>
    </div>
  )
}

function optionOf(instructor: Instructor): readonly [string, string] {
  return [instructor.id, nameOf(instructor)]
}
