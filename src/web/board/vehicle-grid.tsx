import type { Calendar as EventCalendar } from '@event-calendar/core'
import type { TFunction } from 'i18next'
import { type MouseEvent, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import type { Vehicle } from '../../contract/vehicle.ts'
import { isCounted } from '../../domain/counted.ts'
import type { LocalDate } from '../../domain/local-time.ts'
import { localNow } from '../../domain/time-zone.ts'
import type { MarkOf } from '../lessons/use-marks.ts'
import { useMarks } from '../lessons/use-marks.ts'
import { element } from '../ui/dom.ts'
import { nameOf, type School, useSchool } from '../ui/school.tsx'
import { useNow } from '../ui/use-now.ts'
import { eventContent } from './block.ts'
import { Calendar } from './calendar.tsx'
import { GRID, initialScrollTime, offsetNow, openingHours } from './calendar-options.ts'
import { clicked } from './clicked.ts'
import { closedEvent, lessonEvents } from './lesson-event.ts'
import { useCalendarA11y } from './use-calendar-a11y.ts'
import type { EmptyTime } from './use-dragging.ts'

type VehicleGridProps = {
  readonly date: LocalDate
  readonly lessons: readonly Appointment[]
  readonly isBooking: boolean
  readonly onBook: (time: EmptyTime) => void
  readonly onOpen: (lessonId: string) => void
}

/** A day of lessons in columns of vehicles, with their absences. A click opens a lesson or books an empty time. */
export function VehicleGrid({ date, lessons, isBooking, onBook, onOpen }: VehicleGridProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const markOf = useMarks()
  const ofDay = useMemo(
    () => lessons.filter(({ start_at, end_at }) => start_at < `${date} 24:00` && end_at > `${date} 00:00`),
    [lessons, date],
  )
  const vehicles = useMemo(() => shownVehicles(school.vehicles, ofDay), [school.vehicles, ofDay])
  const events = useMemo(
    () => [
      ...vehicles.flatMap(({ id, absences }) =>
        absences.map((away) => closedEvent({ ...away, away }, id, t)),
      ),
      ...vehicleEvents(ofDay, markOf, school, t),
    ],
    [vehicles, ofDay, markOf, school, t],
  )
  const box = useRef<HTMLDivElement>(null)
  useCalendarA11y(box)
  const options = { ...useOptions(vehicles, ofDay, date), ...useBookingClick(onBook) }
  const onClick = ({ target }: MouseEvent) => clicked(target, { lessons, offered: undefined, onBook, onOpen })

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys and clicks are those of the buttons inside
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys and clicks are those of the buttons inside
    <div ref={box} className="board-grid" onClick={onClick}>
      <Calendar options={options} events={events} isHeld={isNeverHeld} hasSelection={isBooking} />
    </div>
  )
}

const isNeverHeld = () => false
const NARROWEST = 132

/** Returns the vehicles that can be booked or have a lesson on the day. */
function shownVehicles(all: readonly Vehicle[], lessons: readonly Appointment[]): readonly Vehicle[] {
  const used = new Set(lessons.filter(isCounted).flatMap(({ vehicle_ids }) => vehicle_ids))
  return all.filter(({ active, id }) => active || used.has(id))
}

/** Returns the blocks of counted lessons, each in the columns of its vehicles, with the instructor in place of the vehicles. */
function vehicleEvents(
  lessons: readonly Appointment[],
  markOf: MarkOf,
  school: School,
  t: TFunction,
): readonly EventCalendar.EventInput[] {
  const using = new Map(
    lessons
      .filter((lesson) => isCounted(lesson) && lesson.vehicle_ids.length > 0)
      .map((lesson) => [lesson.id, lesson]),
  )
  return lessonEvents([...using.values()], markOf, school, t).flatMap((event) => {
    const lesson = using.get(String(event.id))
    if (!lesson) return []
    const instructor = school.instructor.get(lesson.instructor_id)
    const type = [instructor && nameOf(instructor), school.lessonType.get(lesson.lesson_type_id)?.name]
    return {
      ...event,
      editable: false,
      resourceIds: [...lesson.vehicle_ids],
      extendedProps: { ...event.extendedProps, type: type.filter(Boolean).join(' · ') },
    }
  })
}

function useOptions(
  vehicles: readonly Vehicle[],
  lessons: readonly Appointment[],
  date: LocalDate,
): EventCalendar.Options {
  const { instructors, tenant, format } = useSchool()
  const { t } = useTranslation()
  // Updated every minute, since clocks may change at night.
  useNow()
  const timeZone = offsetNow(tenant.timezone, new Date())
  return useMemo(() => {
    const visible = { instructors: instructors.filter(({ active }) => active), dates: [date], lessons }
    return {
      ...GRID,
      ...openingHours(visible),
      view: 'resourceTimeGridDay',
      selectable: false,
      date,
      timeZone,
      scrollTime: initialScrollTime(visible, localNow(new Date(), tenant.timezone)),
      locale: format.locale,
      columnWidth: `minmax(${NARROWEST}px, 1fr)`,
      resources: vehicles.map((vehicle) => ({ id: vehicle.id, title: titleOf(vehicle, t) })),
      eventContent,
      resourceLabelContent: vehicleHead,
    }
  }, [vehicles, lessons, date, timeZone, tenant.timezone, instructors, format, t])
}

function titleOf({ name, plate, active }: Vehicle, t: TFunction): string {
  return [name, plate, !active && t('board.inactive')].filter(Boolean).join(' · ')
}

function vehicleHead({ resource }: EventCalendar.ResourceLabelInfo): EventCalendar.Content {
  const title = String(resource.title)
  return { domNodes: [element('div', 'column-head', element('span', 'column-text', title))] }
}

/** Returns the handler of a click on an empty time, the same one as long as the board is shown. */
function useBookingClick(onBook: (time: EmptyTime) => void): EventCalendar.Options {
  const now = useRef(onBook)
  now.current = onBook
  return useMemo(
    () => ({
      dateClick: ({ dateStr, resource }) =>
        now.current({
          instructor_id: undefined,
          start_at: dateStr.slice(0, 16).replace('T', ' '),
          ...(resource && { vehicle_ids: [resource.id] }),
        }),
    }),
    [],
  )
}
