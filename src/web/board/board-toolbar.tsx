import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import type { Instructor } from '../../contract/instructor.ts'
import { daysLater, type LocalDate, mondayOf, weekNumberOf } from '../../domain/local-time.ts'
import { idle } from '../ui/background-code.ts'
import { Button } from '../ui/button.tsx'
import { Deferred } from '../ui/deferred.tsx'
import { Disclosure } from '../ui/disclosure.tsx'
import field from '../ui/field.module.css'
import { Icon } from '../ui/icon.tsx'
import { fetchCode } from '../ui/lazily.ts'
import { nameOf, useSchool } from '../ui/school.tsx'
import { isWeekIn } from './board-search.ts'
import css from './board-toolbar.module.css'
import { InstructorFilter } from './instructor-filter.tsx'
import type { InstructorFilterProps } from './instructor-filter-panel.tsx'
import { PrintMenu } from './print-menu.tsx'
import { WeekMeter } from './week-meter.tsx'

const UnmarkedCount = lazy(() =>
  idle()
    .then(() => fetchCode(() => import('../lessons/unmarked/unmarked-count.tsx')))
    // A board without the count is better than none.
    .catch(() => ({ default: () => <></> })),
)
const loadPicker = () => import('../ui/dialogs/day-picker.tsx')

type BoardToolbarProps = InstructorFilterProps & {
  readonly date: LocalDate
  readonly today: LocalDate
  readonly single: Instructor | undefined
  /** Whether the columns are vehicles. */
  readonly isByVehicle: boolean
  /** Whether the rows are the weeks of all instructors. */
  readonly isTeam: boolean
  /** Whether they show what a plan proposes. */
  readonly isPlan: boolean
  /** Whether the columns do. */
  readonly isPlanned: boolean
  readonly lessons: readonly Appointment[]
  readonly onBook: () => void
}

export function BoardToolbar(props: BoardToolbarProps) {
  const { search, date, choice, shown, single, isByVehicle, isTeam, isPlan, isPlanned, go, onBook } = props
  const planned = isPlan || isPlanned || undefined
  const { vehicles } = useSchool()
  const { t } = useTranslation()
  return (
    <div
      className={css.toolbar}
      data-week={isWeekIn(search) || undefined}
      role="toolbar"
      aria-label={t('nav.board')}
    >
      <DateControls {...props} />
      <fieldset className={css.segments} aria-label={`${t('board.day')} / ${t('board.week')}`}>
        <button
          type="button"
          aria-pressed={!single && !isByVehicle && !isTeam}
          onClick={() => go({ view: undefined, planned })}
        >
          {t('board.day')}
        </button>
        <button
          type="button"
          aria-pressed={single !== undefined}
          onClick={() => go({ view: 'week', planned })}
        >
          {t('board.week')}
        </button>
        <button
          type="button"
          aria-pressed={isTeam && !isPlan}
          title={`${t('board.teamWeek')} (a)`}
          onClick={() => go({ view: 'team' })}
        >
          {t('board.team')}
        </button>
        {vehicles.length > 0 && (
          <button type="button" aria-pressed={isByVehicle} onClick={() => go({ view: 'vehicles' })}>
            {t('field.vehicle_ids')}
          </button>
        )}
        {(isTeam || isPlanned) && (
          <button type="button" aria-pressed={isPlan} onClick={() => go({ view: 'plan' })}>
            {t('board.plan')}
          </button>
        )}
      </fieldset>
      {single && <WeekControls {...props} single={single} />}
      {!single && !isByVehicle && <InstructorFilter {...{ search, choice, shown, go }} />}
      <span className={css.space} />
      <Suspense>
        <UnmarkedCount />
      </Suspense>
      <PrintMenu date={date} shown={single ? [single] : shown} className={css.wide} wordClass={css.word} />
      <Button
        look="primary"
        icon="plus"
        className={css.book}
        title={`${t('action.book')} (n)`}
        onClick={onBook}
      >
        <span className={css.word}>
          <span className={css.whole}>{t('action.book')}</span>
          <span className={css.brief}>{t('action.bookBriefly')}</span>
        </span>
      </Button>
    </div>
  )
}

function WeekControls({ single, date, lessons, go }: BoardToolbarProps & { single: Instructor }) {
  const { instructors } = useSchool()
  const { t } = useTranslation()
  return (
    <>
      <select
        className={field.field}
        aria-label={t('field.instructor')}
        value={single.id}
        onChange={({ target }) => go({ instructor: target.value })}
      >
        {instructors
          .filter(({ active, id }) => active || id === single.id)
          .map((instructor) => (
            <option key={instructor.id} value={instructor.id}>
              {nameOf(instructor)}
            </option>
          ))}
      </select>
      <div className={css.meter}>
        <WeekMeter instructor={single} date={date} lessons={lessons} />
      </div>
    </>
  )
}

function DateControls({ search, date, today, go }: BoardToolbarProps) {
  const { t } = useTranslation()
  const isWeek = isWeekIn(search)
  const step = isWeek ? 7 : 1
  return (
    <div className={css.dates}>
      <Button
        icon="chevronLeft"
        aria-label={t(isWeek ? 'board.earlierWeek' : 'board.earlierDay')}
        onClick={() => go({ date: daysLater(date, -step) })}
      />
      <Button aria-pressed={date === today} onClick={() => go({ date: today })}>
        {t('board.today')}
      </Button>
      <Button
        icon="chevronRight"
        aria-label={t(isWeek ? 'board.laterWeek' : 'board.laterDay')}
        onClick={() => go({ date: daysLater(date, step) })}
      />
      <DateChoice date={date} isWeek={isWeek} onPick={(picked) => go({ date: picked })} />
    </div>
  )
}

type DateChoiceProps = {
  readonly date: LocalDate
  readonly isWeek: boolean
  readonly onPick: (date: LocalDate) => void
}

function DateChoice({ date, isWeek, onPick }: DateChoiceProps) {
  const { format } = useSchool()
  const { t } = useTranslation()
  const week = t('board.calendarWeek', { week: weekNumberOf(date) })
  const monday = mondayOf(date)
  return (
    <Disclosure
      className={css.date}
      label={
        <>
          <span className={css.long}>
            {isWeek ? `${week} · ${format.days(monday, daysLater(monday, 6))}` : format.longDay(date)}
          </span>
          <span className={css.short}>{isWeek ? week : format.day(date)}</span>
          <Icon name="chevronDown" size={14} />
        </>
      }
    >
      {(close) => <Deferred load={loadPicker} props={{ date, onPick, onClose: close }} />}
    </Disclosure>
  )
}
