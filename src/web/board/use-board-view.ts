import type { Calendar } from '@event-calendar/core'
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import type { Instructor } from '../../contract/instructor.ts'
import { dayOfMinute, type LocalDate, localDateFor } from '../../domain/local-time.ts'
import { localNow } from '../../domain/time-zone.ts'
import { loadOf } from '../lessons/load.ts'
import { meterOf } from '../lessons/meter.ts'
import { useSchool } from '../ui/school.tsx'
import { useNow } from '../ui/use-now.ts'
import { eventContent } from './block.ts'
import type { BoardSearch } from './board-search.ts'
import {
  GRID,
  initialScrollTime,
  offsetNow,
  type openingHours,
  type VisibleBoard,
} from './calendar-options.ts'
import { columnHead, columnOf, dayHead } from './column-head.ts'
import { specialDayName } from './special-day-name.ts'

const NARROWEST = { day: 132, week: 100 } as const

type Shown = Pick<VisibleBoard, 'instructors' | 'dates'> & {
  readonly lessons: readonly Appointment[]
  readonly hours: ReturnType<typeof openingHours>
}

type Place = {
  readonly date: LocalDate
  /** The instructor of the week view; undefined in the day view. */
  readonly single: Instructor | undefined
  readonly go: (change: Partial<BoardSearch>) => void
}

/** Returns the calendar's options, as the same object until one of them changes. */
export function useBoardView(shown: Shown, { date, single, go }: Place): Calendar.Options {
  const { instructors, dates, lessons, hours } = shown
  const school = useSchool()
  const { t } = useTranslation()
  const label = useColumnHead(date, go)
  const dayHeaderFormat = useDayHead(single, lessons)
  // biome-ignore lint/correctness/useExhaustiveDependencies: new and removed lessons must not scroll the board
  const scrollTime = useMemo(
    () => initialScrollTime({ instructors, dates, lessons }, localNow(new Date(), school.tenant.timezone)),
    [dates, school.tenant.timezone],
  )
  // Updated every minute, since clocks may change at night.
  useNow()
  const offset = offsetNow(school.tenant.timezone, new Date())
  return useMemo((): Calendar.Options => {
    const resources = instructors.map((instructor) =>
      columnOf(instructor, loadOf(instructor, date, lessons, school).day, school, t),
    )
    return {
      ...GRID,
      ...hours,
      view: single ? 'timeGridWeek' : 'resourceTimeGridDay',
      date,
      timeZone: offset,
      scrollTime,
      locale: school.format.locale,
      columnWidth: `minmax(${NARROWEST[single ? 'week' : 'day']}px, 1fr)`,
      resources,
      eventContent,
      resourceLabelContent: label,
      dayHeaderFormat,
    }
  }, [instructors, lessons, hours, school, t, date, single, offset, scrollTime, label, dayHeaderFormat])
}

/** Returns the head of a column, with links to the week, the absence and the day sheet. */
function useColumnHead(day: LocalDate, go: Place['go']) {
  const navigate = useNavigate()
  return useCallback(
    (info: Calendar.ResourceLabelInfo) =>
      columnHead(info, {
        openWeek: (instructor) => go({ view: 'week', instructor }),
        open: (to, instructor) => void navigate({ to, search: { day, instructor } }),
      }),
    [go, navigate, day],
  )
}

function useDayHead(single: Instructor | undefined, lessons: readonly Appointment[]) {
  const school = useSchool()
  const { t } = useTranslation()
  return useCallback(
    (shown: Date) => {
      const date = dateOfShown(shown)
      const load = single && loadOf(single, date, lessons, school).day
      return load
        ? dayHead(school.format.day(date), meterOf(load, 'day', school, t), specialDayName(date, school, t))
        : ''
    },
    [single, lessons, school, t],
  )
}

/** Returns the date shown: the calendar stores wall-clock fields in a browser-local date. */
function dateOfShown(shown: Date): LocalDate {
  const minute = Date.UTC(shown.getFullYear(), shown.getMonth(), shown.getDate()) / MINUTE_MS
  return localDateFor(dayOfMinute(minute))
}

const MINUTE_MS = 60_000
