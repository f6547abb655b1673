import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import type { Instructor } from '../../contract/instructor.ts'
import { dateOf, daysLater, type LocalDate } from '../../domain/local-time.ts'
import type { BookingStart } from '../booking/form.ts'
import { vehicleList } from '../data/vehicles.ts'
import { type LessonActions, useLessonActions } from '../lessons/lesson-actions.ts'
import { loadMarks } from '../lessons/use-marks.ts'
import { useWeek } from '../lessons/use-week.ts'
import { useOffered } from '../slots/offered.ts'
import { Button } from '../ui/button.tsx'
import { Deferred, usePreloaded } from '../ui/deferred.tsx'
import page from '../ui/page.module.css'
import { PageHeading } from '../ui/page-heading.tsx'
import { useSchool } from '../ui/school.tsx'
import { Empty, Failure, Loading } from '../ui/states.tsx'
import type { WantedLesson } from '../ui/undo/steps.ts'
import { useNow } from '../ui/use-now.ts'
import { useShortcuts } from '../ui/use-shortcuts.ts'
import { BoardGrid, type BoardGridProps } from './board-grid.tsx'
import css from './board-page.module.css'
import {
  type BoardSearch,
  choiceOf,
  instructorsOn,
  isWeekIn,
  shownInstructors,
  weekOf,
} from './board-search.ts'
import { BoardToolbar } from './board-toolbar.tsx'
import { firstWorkingDay, worksOn } from './closed-times.ts'
import { loadDarkness } from './dark-times.ts'
import { FreeToday, SpecialDayName } from './day-notes.tsx'
import { useBoardSearch } from './use-board-search.ts'
import { type CardSide, useCardSide } from './use-card-side.ts'
import type { EmptyTime } from './use-dragging.ts'
import { loadRules } from './use-moves.ts'
import { VerdictPill } from './verdict-pill.tsx'

const loadDialog = () => import('../booking/booking-dialog.tsx')
const loadTeam = () => import('./team-week.tsx')
const loadPlan = () => import('./plan-week.tsx')
const loadPlanGrid = () => import('./plan-grid.tsx')
const loadFollowed = () => import('./followed-slot.ts')
const loadVehicles = () => import('./vehicle-grid.tsx')
const loadProposed = () => import('./proposed-lesson.tsx')
const loadCard = () => import('../booking/lesson-card.tsx')

// Beside the lessons, so that they are drawn once, with their marks.
void Promise.all([loadMarks(), loadDarkness()])

const route = getRouteApi('/')
const NO_LESSONS = [] as const
const stay = () => undefined

/** The office's board of lessons. */
export function BoardPage() {
  const { t } = useTranslation()
  const { search, go } = useBoardSearch()
  const today = dateOf(useNow())
  const { instructors } = useSchool()
  const opening = useMemo(() => firstWorkingDay(today, instructors), [today, instructors])
  const date = search.date ?? opening
  const week = useWeek(date)
  const lessons = week.lessons ?? NO_LESSONS
  const columns = useColumns(search, lessons, date)
  const isSearching = useOffered() !== undefined
  const { booking, setBooking, book, bookDay, find, findFor } = useBookingHere(date, columns)
  const actions = useLessonActions(lessons, findFor)
  const side = useCardSide(search.lesson, week.lessons !== undefined)
  usePreloaded(loadRules, loadDialog, loadCard)
  useBoardKeys({ date, today, view: search.view, go, book, find })

  return (
    <div className={css.page} data-narrow={side === 'narrow' ? '' : undefined}>
      <PageHeading className={page.hidden} title={t('nav.board')} />
      <BoardToolbar {...{ search, date, today, lessons, go }} {...columns} onBook={() => book()} />
      {search.date === undefined && opening !== today && <FreeToday {...{ today, date, go }} />}
      {!isWeekIn(search) && <SpecialDayName date={date} />}
      <div className={css.board}>
        <Board
          {...{ date, week, columns, actions, go }}
          isBooking={booking !== undefined}
          onBook={book}
          onBookDay={bookDay}
        />
      </div>
      <VerdictPill />
      {isSearching && <Deferred load={loadFollowed} props={{ date, search, onClose: stay }} />}
      <Dialogs {...{ search, date, lessons, actions, booking, side }} onBooking={setBooking} />
    </div>
  )
}

/** Returns the open booking form and the functions that open it for a time or a search. */
function useBookingHere(date: LocalDate, { single, shown }: Columns) {
  const [booking, setBooking] = useState<BookingStart>()
  const book = useCallback(
    (time?: EmptyTime, isFinding = false) =>
      setBooking({
        isFinding,
        date,
        instructor_id: single?.id ?? (shown.length === 1 ? shown[0]?.id : undefined),
        ...time,
      }),
    [date, single, shown],
  )
  const bookDay = useCallback((day: TeamDay) => setBooking(day), [])
  const find = useCallback(() => book(undefined, true), [book])
  const findFor = useCallback(
    (wanted: WantedLesson) => setBooking({ ...wanted, date: dateOf(wanted.like.start_at), isFinding: true }),
    [],
  )
  return { booking, setBooking, book, bookDay, find, findFor }
}

type BoardProps = Pick<BoardGridProps, 'date' | 'actions' | 'isBooking' | 'go' | 'onBook'> & {
  readonly week: ReturnType<typeof useWeek>
  readonly columns: Columns
  readonly onBookDay: (day: TeamDay) => void
}

/** A day of an instructor, without a time. */
type TeamDay = { readonly instructor_id: string; readonly date: LocalDate }

/** Shows the columns once the lessons are loaded, or a notice if there are none. */
function Board({ date, week, columns, actions, isBooking, go, onBook, onBookDay }: BoardProps) {
  const { single, shown, isAwaited, isByVehicle, isTeam, isPlan, isPlanned } = columns
  // With a form open, the board only picks times: a card would appear after the form closes.
  const open = useCallback((lesson: string) => !isBooking && go({ lesson }), [go, isBooking])
  const { lessons, error, isError, refetch } = week
  if (!lessons) return isError ? <Failure error={error} retry={refetch} /> : <Loading />
  if (isAwaited) return <Loading />
  if (isByVehicle) {
    const onClose = () => go({ view: undefined })
    return (
      <Deferred
        load={loadVehicles}
        props={{ date, lessons, actions, isBooking, onBook, onOpen: open, onClose }}
      />
    )
  }
  if (!single && shown.length === 0) return <NoColumns onAll={() => go({ show: undefined })} />
  if (isTeam) {
    const onClose = () => go({ view: undefined })
    return (
      <Deferred
        load={isPlan ? loadPlan : loadTeam}
        props={{ date, shown, lessons, go, onBook, onBookDay, onOpen: open, onClose }}
      />
    )
  }
  const grid = { date, shown, single, lessons, actions, go, isBooking, onBook, onOpen: open }
  if (isPlanned) {
    const onClose = () => go({ planned: undefined })
    return <Deferred load={loadPlanGrid} props={{ ...grid, onClose }} />
  }
  return <BoardGrid {...grid} />
}

/** Explains why the board has no columns, and offers to show all. */
function NoColumns({ onAll }: { onAll: () => void }) {
  const { instructors } = useSchool()
  const navigate = route.useNavigate()
  const { t } = useTranslation()
  if (instructors.length > 0)
    return (
      <Empty text={t('board.noInstructors')}>
        <Button onClick={onAll}>{t('board.showAll')}</Button>
      </Empty>
    )
  return (
    <Empty text={t('board.noneYet')}>
      <Button
        look="primary"
        icon="plus"
        onClick={() => void navigate({ to: '/instructors', search: { add: true } })}
      >
        {t('board.addInstructor')}
      </Button>
    </Empty>
  )
}

type Columns = ReturnType<typeof useColumns>

/** Returns the instructors who can have a column, those who have one, the one of the week view, and whether columns are vehicles, or will be. */
function useColumns(search: BoardSearch, lessons: readonly Appointment[], date: LocalDate) {
  const { instructors, instructor, vehicles } = useSchool()
  const isPlan = search.view === 'plan'
  const isTeam = search.view === 'team' || isPlan
  const { choice, teachers, dates } = useMemo(() => {
    const dates = isTeam ? weekOf(date) : [date]
    const teachers = instructorsOn(lessons, dates)
    return { dates, teachers, choice: choiceOf(instructors, teachers) }
  }, [instructors, lessons, date, isTeam])
  const shown = useMemo(() => {
    const isWorking = (one: Instructor) => teachers.has(one.id) || dates.some((day) => worksOn(one, day))
    return shownInstructors(search, choice, isWorking)
  }, [search, choice, teachers, dates])
  const single = search.view === 'week' ? (instructor.get(search.instructor ?? '') ?? shown[0]) : undefined
  const { isPending } = useQuery({ ...vehicleList, enabled: false })
  const isAwaited = search.view === 'vehicles' && isPending
  const isByVehicle = search.view === 'vehicles' && vehicles.length > 0
  const isPlanned = search.planned === true && !isTeam
  return { choice, shown, single, isAwaited, isByVehicle, isTeam, isPlan, isPlanned }
}

type DialogsProps = {
  readonly search: BoardSearch
  readonly date: LocalDate
  readonly lessons: readonly Appointment[]
  readonly actions: LessonActions
  readonly booking: BookingStart | undefined
  readonly side: CardSide
  readonly onBooking: (booking: BookingStart | undefined) => void
}

function Dialogs({ search, date, lessons, actions, booking, side, onBooking }: DialogsProps) {
  const navigate = route.useNavigate()
  const { proposal } = search
  const closeDialog = useCallback(() => onBooking(undefined), [onBooking])
  // The back button must not open it again.
  const closeCard = () =>
    void navigate({ search: (before) => ({ ...before, lesson: undefined }), replace: true })
  if (booking) {
    return (
      <Deferred
        load={loadDialog}
        props={{ start: booking, isOnBoard: true, onBooked: actions.reportBooked, onClose: closeDialog }}
      />
    )
  }
  if (proposal !== undefined) {
    const end = (lesson?: string) =>
      void navigate({ search: (before) => ({ ...before, proposal: undefined, lesson }), replace: true })
    return (
      <Deferred
        load={loadProposed}
        props={{ proposal, date, onBook: onBooking, onOpen: end, onClose: end }}
      />
    )
  }
  if (search.lesson === undefined) return null
  return (
    <Deferred
      load={loadCard}
      props={{
        id: search.lesson,
        listed: lessons.find(({ id }) => id === search.lesson),
        side: side === 'narrow' ? 'right' : side,
        actions,
        onEdit: (editing) => onBooking({ date, editing }),
        onClose: closeCard,
      }}
    />
  )
}

type KeyedBoard = {
  readonly date: LocalDate
  readonly today: LocalDate
  readonly view: BoardSearch['view']
  readonly go: (change: Partial<BoardSearch>) => void
  readonly book: () => void
  readonly find: () => void
}

function useBoardKeys({ date, today, view, go, book, find }: KeyedBoard): void {
  const step = isWeekIn({ view }) ? 7 : 1
  useShortcuts({
    book: () => book(),
    find,
    today: () => go({ date: today }),
    day: () => go({ view: undefined }),
    week: () => go({ view: 'week' }),
    team: () => go({ view: 'team' }),
    earlier: () => go({ date: daysLater(date, -step) }),
    later: () => go({ date: daysLater(date, step) }),
  })
}
