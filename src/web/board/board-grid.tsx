import { type MouseEvent, type RefObject, useCallback, useEffect, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import type { Instructor } from '../../contract/instructor.ts'
import type { LocalDate } from '../../domain/local-time.ts'
import type { LessonActions } from '../lessons/lesson-actions.ts'
import { vehiclesIn } from '../lessons/lesson-vehicles.ts'
import { useMarks } from '../lessons/use-marks.ts'
import type { LessonDraft } from '../lessons/verdict.ts'
import { type OfferedSlots, useOffered } from '../slots/offered.ts'
import { useSchool } from '../ui/school.tsx'
import { type BoardSearch, weekOf } from './board-search.ts'
import { clicked } from './clicked.ts'
import { closedTimesOf } from './closed-times.ts'
import { darkEvents, useDarkness } from './dark-times.ts'
import type { GridEvent } from './grid-event.ts'
import { closedEvent, lessonEvents, slotEvent, specialDayEvents } from './lesson-event.ts'
import type { VisibleBoard } from './opening-hours.ts'
import { TimeGrid } from './time-grid.tsx'
import { useColumns, useHours, useInitialScroll } from './use-columns.tsx'
import { type EmptyTime, useDragging } from './use-dragging.ts'
import { useDropZones } from './use-drop-zones.ts'
import type { Ghosts } from './use-ghosts.ts'
import { useKeyboardMoving } from './use-keyboard-moving.ts'
import { useHover, useMoves } from './use-moves.ts'

/** The least width of a column in pixels. */
const NARROWEST = { day: 132, week: 100 } as const

export type BoardGridProps = {
  readonly date: LocalDate
  readonly shown: readonly Instructor[]
  /** The instructor of the week view; undefined in the day view. */
  readonly single: Instructor | undefined
  readonly lessons: readonly Appointment[]
  readonly actions: LessonActions
  /** Whether the drawn time has an open form. */
  readonly isBooking: boolean
  readonly go: (change: Partial<BoardSearch>) => void
  readonly onBook: (time: EmptyTime) => void
  readonly onOpen: (lessonId: string) => void
  /** The lessons that a plan proposes, and the function that opens one. */
  readonly ghosts?: Ghosts & { readonly onOpen: (id: string) => void }
}

export function BoardGrid(props: BoardGridProps) {
  const { date, shown, single, lessons, actions, isBooking, onOpen, ghosts } = props
  const instructors = useMemo(() => (single ? [single] : shown), [single, shown])
  const isWeek = single !== undefined
  const dates = useMemo(() => (isWeek ? weekOf(date) : [date]), [isWeek, date])
  const offered = useOffered()
  // During a search, a click on an empty time fills the form.
  const onBook = (time: EmptyTime) => (offered?.pick ?? props.onBook)(time)
  const booked = useMoves(lessons, actions)
  const movesWith = ghosts?.movesWith
  const moves = useMemo(() => movesWith?.(booked) ?? booked, [booked, movesWith])
  const placeOf = usePlaces()
  const { acts, isClickMeant } = useDragging(moves, { onBook, placeIn: placeOf })
  const shift = (draft: LessonDraft, by: 1 | -1, lesson: Appointment) => {
    const column = instructors.findIndex(({ id }) => id === draft.instructor_id)
    return { ...draft, ...placeOf(instructors[column + by]?.id ?? draft.instructor_id, lesson) }
  }
  const onKeyDown = useKeyboardMoving(moves, { shift, isWeek, dates })
  const hours = useHours({ instructors, dates, lessons })
  const box = useRef<HTMLDivElement>(null)
  const columnsFor = useCallback(
    (lesson: Appointment) =>
      instructors.flatMap(({ id }) => dates.map((date) => ({ ...placeOf(id, lesson), date }))),
    [instructors, dates, placeOf],
  )
  useDropZones(box, { columnsFor, lessons, ghosts, hours })
  useTodayInSight(box, dates)
  const isRefused = (useHover()?.objections.length ?? 0) > 0
  const events = useEvents({ instructors, dates, lessons }, offered, ghosts?.events)
  const columns = useColumns({ instructors, dates, lessons }, props)
  const scrollTo = useInitialScroll({ instructors, dates, lessons })
  const onClick = ({ target }: MouseEvent) => {
    if (isClickMeant()) clicked(target, { lessons, offered, onBook, onOpen, onGhost: ghosts?.onOpen })
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys and clicks are those of the buttons inside
    <div
      ref={box}
      className={isRefused ? 'board-grid is-refused' : 'board-grid'}
      onKeyDown={onKeyDown}
      onClick={onClick}
    >
      <TimeGrid
        {...{ columns, events, hours, scrollTo, acts }}
        narrowest={NARROWEST[isWeek ? 'week' : 'day']}
        isBooking={isBooking}
      />
    </div>
  )
}

/** Returns the function for the place of a lesson in an instructor's column: the usual vehicle follows the instructor. */
function usePlaces() {
  const school = useSchool()
  return useCallback(
    (instructor_id: string, lesson?: Appointment) => ({
      instructor_id,
      ...(lesson && { vehicle_ids: vehiclesIn(lesson, { ...lesson, instructor_id }, school) }),
    }),
    [school],
  )
}

type Shown = Pick<VisibleBoard, 'instructors' | 'dates'> & { readonly lessons: readonly Appointment[] }

type LessonPlace = Pick<Appointment, 'instructor_id' | 'start_at' | 'end_at'>

/** The lessons shown, the times outside working hours, and the slots of a search. */
function useEvents(
  { instructors, dates, lessons }: Shown,
  offered: OfferedSlots | undefined,
  ghosts: readonly GridEvent[] | undefined,
) {
  const school = useSchool()
  const darkness = useDarkness()
  const markOf = useMarks(lessons)
  const { t } = useTranslation()
  return useMemo(() => {
    const isShown = ({ instructor_id, start_at, end_at }: LessonPlace) =>
      instructors.some(({ id }) => id === instructor_id) &&
      dates.some((day) => start_at < `${day} 24:00` && end_at > `${day} 00:00`)
    return [
      ...instructors.flatMap((instructor) =>
        dates.flatMap((day) =>
          closedTimesOf(instructor, day, school.days?.busy.get(instructor.id)?.times).map((time) =>
            closedEvent(time, instructor.id, t),
          ),
        ),
      ),
      ...instructors.flatMap(({ id }) =>
        dates.flatMap((day) => specialDayEvents(day, id, school.days?.on(day))),
      ),
      ...instructors.flatMap(({ id }) => dates.flatMap((day) => darkEvents(day, id, darkness))),
      ...lessonEvents(lessons.filter(isShown), markOf, school, t),
      ...(offered?.slots.filter(isShown).map((slot) => slotEvent(slot, offered.chosen, t)) ?? []),
      ...(ghosts ?? []),
    ]
  }, [instructors, dates, lessons, offered, ghosts, school, darkness, markOf, t])
}

/** Scrolls to today's column if the window is narrower than the days, as with a week on a phone. */
function useTodayInSight(box: RefObject<HTMLElement | null>, dates: readonly LocalDate[]): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls again if the days change
  useEffect(() => {
    const grid = box.current?.querySelector('.board-main')
    const today = grid?.querySelector<HTMLElement>('.board-head.is-today')
    const first = grid?.querySelector<HTMLElement>('.board-head')
    if (grid && today && first) grid.scrollLeft = today.offsetLeft - first.offsetLeft
  }, [box, dates])
}
