import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useCallback, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { BookingStart } from '../booking/form.ts'
import { useSchool } from '../ui/school.tsx'
import { Empty, Failure, Loading, OfflineBar } from '../ui/states.tsx'
import { BoardGrid } from './board-grid.tsx'
import css from './board-page.module.css'
import type { BoardSearch } from './board-search.ts'
import { shownInstructors } from './board-search.ts'
import { BoardToolbar } from './board-toolbar.tsx'
import { todayIn } from './calendar-options.ts'
import { useBoardKeys } from './use-board-keys.ts'
import type { EmptyTime } from './use-dragging.ts'
import { useLessonActions } from './use-lesson-actions.ts'
import { useWeek } from './use-week.ts'
import { VerdictPill } from './verdict-pill.tsx'

const loadDialog = () => import('../booking/booking-dialog.tsx')
const loadCard = () => import('../booking/lesson-card.tsx')
const BookingDialog = lazy(loadDialog)
const LessonCard = lazy(loadCard)

const route = getRouteApi('/')
const NO_LESSONS = [] as const

/** By then the board stands, and nobody has yet asked for more. */
const IDLE_AFTER_MS = 1000

/** The office's day: who teaches whom when, and all that is done about it. */
export function BoardPage() {
  const school = useSchool()
  const { t } = useTranslation()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const today = todayIn(school.tenant.timezone, new Date())
  const date = search.date ?? today
  const shown = useMemo(() => shownInstructors(search, school.instructors), [search, school.instructors])
  const single =
    search.view === 'week' ? (school.instructor.get(search.instructor ?? '') ?? shown[0]) : undefined
  const { lessons, error, isError, refetch } = useWeek(date)
  const actions = useLessonActions(lessons ?? NO_LESSONS)
  const [booking, setBooking] = useState<BookingStart>()

  useEffect(() => {
    const timer = setTimeout(() => void Promise.allSettled([loadDialog(), loadCard()]), IDLE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])

  const go = useCallback(
    (change: Partial<BoardSearch>) => void navigate({ search: (before) => ({ ...before, ...change }) }),
    [navigate],
  )
  const book = useCallback(
    (time?: EmptyTime) =>
      setBooking({
        date,
        instructor_id: single?.id ?? (shown.length === 1 ? shown[0]?.id : undefined),
        ...time,
      }),
    [date, single, shown],
  )
  const open = useCallback((lesson: string) => go({ lesson }), [go])
  useBoardKeys({ date, today, view: search.view, go, book })

  return (
    <div className={css.page}>
      <h1 className={css.title}>{t('board.title')}</h1>
      <BoardToolbar
        {...{ search, date, today, shown, single, go }}
        lessons={lessons ?? NO_LESSONS}
        onBook={() => book()}
      />
      {isError && lessons && <OfflineBar />}
      <div className={css.board}>
        {lessons && shown.length > 0 && (
          <BoardGrid {...{ date, shown, single, lessons, actions, go }} onBook={book} onOpen={open} />
        )}
        {!lessons && (isError ? <Failure error={error} retry={refetch} /> : <Loading />)}
        {lessons && shown.length === 0 && (
          <Empty text={t(school.instructors.length === 0 ? 'board.noneYet' : 'board.noInstructors')} />
        )}
      </div>
      <VerdictPill lessons={lessons ?? NO_LESSONS} />
      <Suspense>
        {booking && (
          <BookingDialog
            start={booking}
            onBooked={actions.tellBooked}
            onClose={() => setBooking(undefined)}
          />
        )}
        {search.lesson !== undefined && !booking && (
          <LessonCard
            id={search.lesson}
            listed={lessons?.find(({ id }) => id === search.lesson)}
            actions={actions}
            onEdit={(editing) => setBooking({ date, editing })}
            onClose={() => go({ lesson: undefined })}
          />
        )}
      </Suspense>
    </div>
  )
}
