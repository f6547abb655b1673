import { useMemo, useRef } from 'react'
import type { Appointment } from '../../contract/appointment.ts'
import type { Instructor } from '../../contract/instructor.ts'
import { contains, intervalOf } from '../../domain/interval.ts'
import {
  dateOf,
  dayOf,
  type LocalDate,
  localDateTimeFor,
  MINUTES_PER_DAY,
  midnightOf,
  minuteOf,
} from '../../domain/local-time.ts'
import { vehiclesIn } from '../lessons/lesson-vehicles.ts'
import { useSchool } from '../ui/school.tsx'
import { dropStartsFor } from './drop-zones.ts'
import type { MovedTo, Point, Spot, Surface } from './pointer-places.ts'
import { useDragging } from './use-dragging.ts'
import type { Ghosts } from './use-ghosts.ts'
import { useKeptFocus } from './use-kept-focus.ts'
import { useKeyboardMoving } from './use-keyboard-moving.ts'
import { usePointer } from './use-pointer.ts'

type Shown = {
  readonly shown: readonly Instructor[]
  readonly dates: readonly LocalDate[]
  /** The booked lessons. */
  readonly lessons: readonly Appointment[]
  readonly ghosts: Ghosts
}

/** Moves proposed lessons among the cells of a week of all instructors, by mouse, touch and keys. */
export function useLineMoving({ shown, dates, lessons, ghosts }: Shown) {
  const school = useSchool()
  const box = useRef<HTMLDivElement>(null)
  const placeIn = (instructor_id: string, lesson?: Appointment) => ({
    instructor_id,
    ...(lesson && { vehicle_ids: vehiclesIn(lesson, { ...lesson, instructor_id }, school) }),
  })
  const { acts, isClickMeant } = useDragging(ghosts.moves, { onBook: () => undefined, placeIn })
  const timeIn = ({ column: { resource, date }, within }: Spot, lesson: Appointment): MovedTo => {
    const { start, end } = intervalOf(lesson)
    const midnight = midnightOf(dayOf(date))
    const usual = midnight + (start % MINUTES_PER_DAY)
    const column = { ...placeIn(resource, lesson), date }
    const free = dropStartsFor(lesson, school, { lessons, ghosts })(column)
    const [nearest = usual] = free
      .filter((one) => !within || contains(within, { start: one, end: one + end - start }))
      .sort((a, b) => Math.abs(a - usual) - Math.abs(b - usual))
    const [start_at, end_at] = [nearest, nearest + end - start].map(localDateTimeFor)
    return { start_at: start_at ?? '', end_at: end_at ?? '', resource }
  }
  const surface: Surface = {
    spotAt,
    movedTo: ({ event }, spot) => {
      const lesson = ghosts.moves.lessonOf(event.id)
      const { column, within } = spot
      const { start_at, end_at } = event
      const isOwn = column.date === dateOf(start_at) && column.resource === event.resources[0]
      const isKept = isOwn && (!within || contains(within, intervalOf(event)))
      return !lesson || isKept ? { start_at, end_at } : timeIn(spot, lesson)
    },
  }
  const grid = { columns: [], events: ghosts.events, hours: { start: 0, end: MINUTES_PER_DAY } }
  const { preview, onPointerDown } = usePointer(box, grid, acts, surface)
  const rowBeside = (id: string, by: 1 | -1) => shown[shown.findIndex((one) => one.id === id) + by]?.id ?? id
  const onKeyDown = useKeyboardMoving(ghosts.moves, {
    shift: (draft) => draft,
    lift: (draft, by, lesson) => ({ ...draft, ...placeIn(rowBeside(draft.instructor_id, by), lesson) }),
    isWeek: true,
    dates,
  })
  useKeptFocus(box)
  return useMemo(
    () => ({ box, preview, onPointerDown, onKeyDown, isClickMeant }),
    [preview, onPointerDown, onKeyDown, isClickMeant],
  )
}

export type LineMoving = ReturnType<typeof useLineMoving>

/** Returns the cell under the pointer; over a line, with the times between it and its neighbour on that side. */
function spotAt({ x, y }: Point): Spot | undefined {
  const cell = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-cell]')
  const { cell: resource, day: date } = cell?.dataset ?? {}
  if (!cell || resource === undefined || date === undefined) return undefined
  const lines = [...cell.querySelectorAll<HTMLElement>('[data-start]:not(.is-taken, [data-preview])')]
  const boxes = lines.map((line) => ({ line, ...boxOf(line) }))
  const column = { resource, date }
  if (!boxes.some(({ top, bottom }) => top <= y && y < bottom)) return { column, minute: 0 }
  const midnight = midnightOf(dayOf(date))
  const above = boxes.findLast(({ top, bottom }) => (top + bottom) / 2 <= y)
  const below = boxes.find(({ top, bottom }) => (top + bottom) / 2 > y)
  const start = above ? minuteOf(above.line.dataset.end ?? '') : midnight
  const end = below ? minuteOf(below.line.dataset.start ?? '') : midnight + MINUTES_PER_DAY
  return { column, minute: 0, within: { start, end } }
}

function boxOf(line: HTMLElement) {
  const { top, bottom } = line.getBoundingClientRect()
  return { top, bottom }
}
