import { useNavigate } from '@tanstack/react-router'
import { useCallback, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import type { Instructor } from '../../contract/instructor.ts'
import type { Interval } from '../../domain/interval.ts'
import type { LocalDate } from '../../domain/local-time.ts'
import { localNow } from '../../domain/time-zone.ts'
import { loadOf } from '../lessons/load.ts'
import { meterOf } from '../lessons/meter.ts'
import { useSchool } from '../ui/school.tsx'
import type { BoardSearch } from './board-search.ts'
import { DayHead, InstructorHead } from './column-head.tsx'
import { initialScroll, openingHours, type VisibleBoard } from './opening-hours.ts'
import { specialDayName } from './special-day-name.ts'
import type { HeadedColumn } from './time-grid.tsx'

type Shown = Pick<VisibleBoard, 'instructors' | 'dates'> & { readonly lessons: readonly Appointment[] }

type Place = {
  readonly date: LocalDate
  /** The instructor of the week view; undefined in the day view. */
  readonly single: Instructor | undefined
  readonly go: (change: Partial<BoardSearch>) => void
}

/** Returns a column for each instructor of the day, or for each day of one instructor. */
export function useColumns({ instructors, dates, lessons }: Shown, { date, single, go }: Place) {
  const school = useSchool()
  const { t } = useTranslation()
  const navigate = useNavigate()
  const openWeek = useCallback((instructor: string) => go({ view: 'week', instructor }), [go])
  const open = useCallback(
    (to: '/day-sheet' | '/absence', instructor: string) =>
      void navigate({ to, search: { day: date, instructor } }),
    [navigate, date],
  )
  return useMemo((): readonly HeadedColumn[] => {
    const meterOn = (instructor: Instructor, day: LocalDate) =>
      meterOf(loadOf(instructor, day, lessons, school).day, 'day', school, t)
    return single
      ? dates.map((day) => ({
          resource: single.id,
          date: day,
          head: (
            <DayHead
              label={school.format.day(day)}
              meter={meterOn(single, day)}
              special={specialDayName(day, school, t)}
            />
          ),
        }))
      : instructors.map((instructor) => ({
          resource: instructor.id,
          date,
          head: <InstructorHead {...{ instructor, openWeek, open }} meter={meterOn(instructor, date)} />,
        }))
  }, [instructors, dates, lessons, school, t, date, single, openWeek, open])
}

/** Returns the opening hours, as the same object while they are the same. */
export function useHours(visible: VisibleBoard): Interval {
  const { start, end } = openingHours(visible)
  return useMemo(() => ({ start, end }), [start, end])
}

/** Returns the minute to scroll to. New and removed lessons do not change it. */
export function useInitialScroll(visible: VisibleBoard): number {
  const { timezone } = useSchool().tenant
  const first = useRef(visible)
  first.current = visible
  return useMemo(
    () => initialScroll({ ...first.current, dates: visible.dates }, localNow(new Date(), timezone)),
    [visible.dates, timezone],
  )
}
