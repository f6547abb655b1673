import { useNavigate } from '@tanstack/react-router'
import type { TFunction } from 'i18next'
import { type MouseEvent, type SyntheticEvent, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import type { Vehicle } from '../../contract/vehicle.ts'
import type { OccupantKind } from '../../domain/agenda.ts'
import { isCounted } from '../../domain/counted.ts'
import type { LocalDate } from '../../domain/local-time.ts'
import { OCCUPANTS, type Occupying } from '../../domain/occupants.ts'
import type { MarkOf } from '../lessons/use-marks.ts'
import { useMarks } from '../lessons/use-marks.ts'
import type { LessonDraft } from '../lessons/verdict.ts'
import { Icon } from '../ui/icon.tsx'
import { nameOf, type School, useSchool } from '../ui/school.tsx'
import type { BoardGridProps } from './board-grid.tsx'
import { clicked } from './clicked.ts'
import type { GridEvent } from './grid-event.ts'
import { closedEvent, lessonEvents } from './lesson-event.ts'
import { TimeGrid } from './time-grid.tsx'
import { useHours, useInitialScroll } from './use-columns.tsx'
import { useDragging } from './use-dragging.ts'
import { useDropZones } from './use-drop-zones.ts'
import { useKeyboardMoving } from './use-keyboard-moving.ts'
import { useHover, useMoves } from './use-moves.ts'

type VehicleGridProps = Omit<BoardGridProps, 'shown' | 'single' | 'go'> & {
  /** Called if the code cannot be fetched. */
  readonly onClose: () => void
}

/** Shows a day's lessons in columns of vehicles, with the vehicles' absences. Lessons move as on the board of instructors. */
export default function VehicleGrid(props: VehicleGridProps) {
  const { date, lessons, actions, isBooking, onBook, onOpen } = props
  const school = useSchool()
  const { t } = useTranslation()
  const markOf = useMarks(lessons)
  const ofDay = useMemo(
    () => lessons.filter(({ start_at, end_at }) => start_at < `${date} 24:00` && end_at > `${date} 00:00`),
    [lessons, date],
  )
  const vehicles = useMemo(() => shownVehicles(school.vehicles, ofDay), [school.vehicles, ofDay])
  const events = useMemo(
    () => [
      ...vehicles.flatMap(({ id, absences }) =>
        absences.map((absence) => closedEvent({ ...absence, absence }, id, t)),
      ),
      ...vehicleEvents(ofDay, markOf, school, t),
    ],
    [vehicles, ofDay, markOf, school, t],
  )
  const box = useRef<HTMLDivElement>(null)
  const moves = useMoves(lessons, actions)
  const { remember, placeIn, shift, columnsFor } = useThingColumns('vehicle', vehicles, date)
  const { acts, isClickMeant } = useDragging(moves, { onBook, placeIn })
  const dates = useMemo(() => [date], [date])
  const onKeyDown = useKeyboardMoving(moves, { shift, isWeek: false, dates })
  const visible = { instructors: school.instructors.filter(({ active }) => active), dates, lessons: ofDay }
  const hours = useHours(visible)
  const scrollTo = useInitialScroll(visible)
  const columns = useMemo(
    () =>
      vehicles.map((vehicle) => ({
        resource: vehicle.id,
        date,
        head: <VehicleHead vehicle={vehicle} day={date} />,
      })),
    [vehicles, date],
  )
  useDropZones(box, { columnsFor, lessons, hours })
  const isRefused = (useHover()?.objections.length ?? 0) > 0
  const onClick = ({ target }: MouseEvent) => {
    if (isClickMeant()) clicked(target, { lessons, offered: undefined, onBook, onOpen })
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys and clicks are those of the buttons inside
    <div
      ref={box}
      className={isRefused ? 'board-grid is-refused' : 'board-grid'}
      onPointerDownCapture={remember}
      onKeyDown={(event) => {
        remember(event)
        onKeyDown(event)
      }}
      onClick={onClick}
    >
      <TimeGrid {...{ columns, events, hours, scrollTo, acts }} narrowest={NARROWEST} isBooking={isBooking} />
    </div>
  )
}

/** Returns the columns of things of a kind. A lesson with several exchanges the one in whose column it was picked up. */
function useThingColumns(kind: OccupantKind, things: readonly Pick<Vehicle, 'id'>[], date: LocalDate) {
  const all = things.map(({ id }) => id).join()
  const taken = useRef<string>(undefined)
  return useMemo(() => {
    const ids = all.split(',')
    const { field, idsOf } = OCCUPANTS[kind]
    const exchanged = (lesson: Occupying, id: string) => {
      const used = idsOf(lesson)
      const from = used.find((one) => one === taken.current) ?? used[0]
      return { [field]: used.includes(id) ? used : used.map((one) => (one === from ? id : one)) }
    }
    return {
      /** Stores the column under the pointer or the focus. */
      remember: ({ target }: Pick<SyntheticEvent, 'target'>) => {
        const box = target instanceof Element ? target.closest<HTMLElement>('[data-column]') : null
        if (box) taken.current = ids[Number(box.dataset.column)]
      },
      placeIn: (id: string, lesson?: Appointment) => (lesson ? exchanged(lesson, id) : { [field]: [id] }),
      shift: (draft: LessonDraft, by: 1 | -1): LessonDraft => {
        const beside = by === 1 ? ids : ids.toReversed()
        const used = idsOf(draft)
        const start = beside.indexOf(taken.current ?? used[0] ?? '') + 1
        const next = beside.slice(start).find((id) => !used.includes(id))
        if (next === undefined) return draft
        const moved = { ...draft, ...exchanged(draft, next) }
        taken.current = next
        return moved
      },
      columnsFor: (lesson: Appointment) =>
        ids.map((id) => ({ instructor_id: lesson.instructor_id, ...exchanged(lesson, id), date })),
    }
  }, [kind, all, date])
}

const NARROWEST = 132

/** Returns the vehicles that can be booked or have a lesson on the day. */
function shownVehicles(all: readonly Vehicle[], lessons: readonly Appointment[]): readonly Vehicle[] {
  const used = new Set(lessons.filter(isCounted).flatMap(OCCUPANTS.vehicle.idsOf))
  return all.filter(({ active, id }) => active || used.has(id))
}

/** Returns the blocks of counted lessons, each in the columns of its vehicles, with the instructor in place of the vehicles. */
function vehicleEvents(
  lessons: readonly Appointment[],
  markOf: MarkOf,
  school: School,
  t: TFunction,
): readonly GridEvent[] {
  const using = new Map(
    lessons
      .filter((lesson) => isCounted(lesson) && OCCUPANTS.vehicle.idsOf(lesson).length > 0)
      .map((lesson) => [lesson.id, lesson]),
  )
  return lessonEvents([...using.values()], markOf, school, t, instructorNames).map((event) => ({
    ...event,
    resources: OCCUPANTS.vehicle.idsOf(using.get(event.id) ?? {}),
  }))
}

function instructorNames({ instructor_id }: Appointment, { instructor }: School): readonly string[] {
  const person = instructor.get(instructor_id)
  return person ? [nameOf(person)] : []
}

type VehicleHeadProps = { readonly vehicle: Vehicle; readonly day: LocalDate }

function VehicleHead({ vehicle: { id, name, plate, active }, day }: VehicleHeadProps) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const away = t('board.fallsOut', { name })
  return (
    <div className="column-head">
      <span className="column-text">
        {[name, plate, !active && t('board.inactive')].filter(Boolean).join(' · ')}
      </span>
      <div className="column-links">
        <button
          type="button"
          className="column-link"
          title={away}
          aria-label={away}
          onClick={() => void navigate({ to: '/absence', search: { day, vehicle: id } })}
        >
          <Icon name="alert" size={16} />
        </button>
      </div>
    </div>
  )
}
