import type { Calendar as EventCalendar } from '@event-calendar/core'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import type { Instructor } from '../../contract/instructor.ts'
import { daysLater, type LocalDate, mondayOf } from '../../domain/local-time.ts'
import { localNow } from '../../domain/time-zone.ts'
import { loadOf } from '../lessons/load.ts'
import type { LessonActions } from '../lessons/use-lesson-actions.ts'
import { isSlotId, type Offered, slotIdOf, useOffered } from '../slots/offered.ts'
import { useSchool } from '../ui/school.tsx'
import type { BoardSearch } from './board-search.ts'
import { Calendar } from './calendar.tsx'
import { firstSight, GRID, offsetNow, openingHours, type Sight } from './calendar-options.ts'
import { closedTimesOf } from './closed-times.ts'
import { columnHead, columnOf } from './column-head.ts'
import { closedEvent, eventContent, lessonEvent, slotEvent } from './lesson-event.ts'
import { type EmptyTime, useDragging } from './use-dragging.ts'
import { useKeyboardMoving } from './use-keyboard-moving.ts'
import { useLandings } from './use-landings.ts'
import { useLessonFocus } from './use-lesson-focus.ts'
import { useHover, useMoves } from './use-moves.ts'
import { useTodayInSight } from './use-today-in-sight.ts'

type BoardGridProps = {
  readonly date: LocalDate
  readonly shown: readonly Instructor[]
  /** Whose week is shown; nobody's on a day. */
  readonly single: Instructor | undefined
  readonly lessons: readonly Appointment[]
  readonly actions: LessonActions
  /** Whether the time that was drawn is being filled in. */
  readonly isBooking: boolean
  readonly go: (change: Partial<BoardSearch>) => void
  readonly onBook: (time: EmptyTime) => void
  readonly onOpen: (lessonId: string) => void
}

/** The grid of the board: a day with a column for every instructor, or the week of one. */
export function BoardGrid(props: BoardGridProps) {
  const { date, shown, single, lessons, actions, isBooking, onOpen } = props
  const instructors = useMemo(() => (single ? [single] : shown), [single, shown])
  const columns = useMemo(() => instructors.map(({ id }) => id), [instructors])
  const isWeek = single !== undefined
  const dates = useMemo(() => (isWeek ? weekFrom(mondayOf(date)) : [date]), [isWeek, date])
  const offered = useOffered()
  // Beside a search an empty time is picked for its form.
  const onBook = (time: EmptyTime) =>
    (offered?.pick ?? props.onBook)({ ...time, instructor_id: time.instructor_id ?? single?.id })
  const moves = useMoves(lessons, actions)
  const { handlers, isHeld } = useDragging(moves, {
    onBook,
    onOpen: (id) => pickedBy(id, offered) ?? onOpen(id),
  })
  const onKeyDown = useKeyboardMoving(moves, { columns, isWeek, dates })
  const focus = useLessonFocus()
  const hours = useMemo(() => openingHours({ instructors, dates, lessons }), [instructors, dates, lessons])
  const box = useRef<HTMLDivElement>(null)
  useLandings(box, { instructors, dates, lessons, hours })
  useTodayInSight(box, dates)
  const isRefused = (useHover()?.objections.length ?? 0) > 0

  const events = useEvents({ instructors, dates, lessons }, offered)
  const view = useView({ instructors, dates, lessons, hours }, props)
  const options = useMemo(() => ({ ...view, ...handlers, ...focus }), [view, handlers, focus])

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are for the lessons inside, which are buttons
    <div ref={box} className={isRefused ? 'board-grid is-refused' : 'board-grid'} onKeyDown={onKeyDown}>
      <Calendar options={options} events={events} isHeld={isHeld} hasSelection={isBooking} />
    </div>
  )
}

type Shown = Pick<Sight, 'instructors' | 'dates'> & { readonly lessons: readonly Appointment[] }

/** Picks the time that was clicked, if it is one that is offered; nothing if it is a lesson. */
function pickedBy(id: string, offered: Offered | undefined): true | undefined {
  if (!isSlotId(id)) return undefined
  const slot = offered?.slots.find((one) => slotIdOf(one) === id)
  if (slot) offered?.pick(slot)
  return true
}

type Placed = Pick<Appointment, 'instructor_id' | 'start_at' | 'end_at'>

/** The lessons that are shown, the times at which nobody works, and those that a search offers. */
function useEvents({ instructors, dates, lessons }: Shown, offered: Offered | undefined) {
  const school = useSchool()
  const { t } = useTranslation()
  return useMemo(() => {
    const isShown = ({ instructor_id, start_at, end_at }: Placed) =>
      instructors.some(({ id }) => id === instructor_id) &&
      dates.some((day) => start_at < `${day} 24:00` && end_at > `${day} 00:00`)
    return [
      ...instructors.flatMap((instructor) =>
        dates.flatMap((day) =>
          closedTimesOf(instructor, day).map((time) => closedEvent(time, instructor.id, t)),
        ),
      ),
      ...lessons.filter(isShown).map((lesson) => lessonEvent(lesson, school, t)),
      ...(offered?.slots.filter(isShown).map((slot) => slotEvent(slot, offered.chosen, t)) ?? []),
    ]
  }, [instructors, dates, lessons, offered, school, t])
}

/** What the calendar shows, and how; one object as long as nothing of it changes. */
function useView(
  { instructors, dates, lessons, hours }: Shown & { readonly hours: ReturnType<typeof openingHours> },
  { date, single, go }: Pick<BoardGridProps, 'date' | 'single' | 'go'>,
): EventCalendar.Options {
  const school = useSchool()
  const { t } = useTranslation()
  const isWeek = single !== undefined
  const label = useCallback(
    (info: EventCalendar.ResourceLabelInfo) =>
      columnHead(info, (instructor) => go({ view: 'week', instructor })),
    [go],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: a lesson that comes or goes moves nothing out of sight
  const scrollTime = useMemo(
    () => firstSight({ instructors, dates, lessons }, localNow(new Date(), school.tenant.timezone)),
    [dates, school.tenant.timezone],
  )
  const offset = useOffset(school.tenant.timezone)
  return useMemo((): EventCalendar.Options => {
    const resources = instructors.map((instructor) =>
      columnOf(instructor, loadOf(instructor, date, lessons, school).day, school, t),
    )
    return {
      ...GRID,
      ...hours,
      view: isWeek ? 'timeGridWeek' : 'resourceTimeGridDay',
      date,
      timeZone: offset,
      scrollTime,
      locale: school.format.locale,
      columnWidth: `minmax(${isWeek ? 100 : 132}px, 1fr)`,
      resources,
      eventContent,
      resourceLabelContent: label,
    }
  }, [instructors, lessons, hours, school, t, date, isWeek, offset, scrollTime, label])
}

const MINUTE_MS = 60_000

/** The school's offset, also after the night in which the clocks change. */
function useOffset(timezone: string): string {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), MINUTE_MS)
    return () => clearInterval(timer)
  }, [])
  return offsetNow(timezone, now)
}

function weekFrom(monday: LocalDate): readonly LocalDate[] {
  return [0, 1, 2, 3, 4, 5, 6].map((days) => daysLater(monday, days))
}
