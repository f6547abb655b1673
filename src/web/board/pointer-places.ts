import { type Interval, minutesOf } from '../../domain/interval.ts'
import {
  dayOf,
  type LocalDateTime,
  localDateTimeFor,
  MINUTES_PER_DAY,
  midnightOf,
  minutesLater,
} from '../../domain/local-time.ts'
import type { GridColumn, GridEvent } from './grid-event.ts'
import { STEP_MINUTES } from './opening-hours.ts'

/** The distance in pixels from the edge within which the board scrolls, and its most per frame. */
const EDGE = 24
const SCROLL_MOST = 8

export type Point = { readonly x: number; readonly y: number }

/** A column and the start of a step, in minutes of the day; in a cell with lines, perhaps the times between two of them. */
export type Spot = {
  readonly column: GridColumn
  readonly minute: number
  readonly within?: Interval
}

/** The columns and hours that a board shows. */
type Spots = { readonly columns: readonly GridColumn[]; readonly hours: Interval }

/** An event under the pointer, and the spot at which it was taken. */
type Taken = {
  readonly kind: 'move' | 'resize' | 'draw'
  readonly event: GridEvent
  readonly origin: Spot
}

/** The way in which a board has places: as columns with hours, or as cells with lines. */
export type Surface = {
  readonly spotAt: (point: Point, main: HTMLElement, shown: Spots) => Spot | undefined
  readonly movedTo: (taken: Taken, spot: Spot) => MovedTo
}

/** The place of a moved or lengthened lesson; `resource` is set if it is not the one from which it was picked up. */
export type MovedTo = {
  readonly start_at: LocalDateTime
  readonly end_at: LocalDateTime
  readonly resource?: string
}

/** Returns the place of a taken event when the pointer is at a spot. */
export function movedTo({ kind, event, origin }: Taken, spot: Spot): MovedTo {
  const [from, to] = [origin.column, spot.column]
  const { start_at, end_at } = event
  const minutes = spot.minute - origin.minute
  if (kind === 'move') {
    const by = (dayOf(to.date) - dayOf(from.date)) * MINUTES_PER_DAY + minutes
    const times = { start_at: minutesLater(start_at, by), end_at: minutesLater(end_at, by) }
    return { ...times, ...(to.resource !== from.resource && { resource: to.resource }) }
  }
  if (kind === 'draw' && minutes < 0) return { start_at: minutesLater(start_at, minutes), end_at }
  const shortest = minutesLater(start_at, STEP_MINUTES)
  const end = minutesLater(end_at, minutes)
  return { start_at, end_at: end < shortest ? (shortest < end_at ? shortest : end_at) : end }
}

/** Returns a moved event as it would be. Over the column of its other vehicle, a lesson keeps both. */
export function previewOf({ event, origin }: Taken, { start_at, end_at, resource }: MovedTo): GridEvent {
  const isOwn = resource === undefined || event.resources.includes(resource)
  const replaced = (one: string) => (one === origin.column.resource && !isOwn ? resource : one)
  return { ...event, start_at, end_at, resources: event.resources.map(replaced) }
}

/** Returns the empty time of a step at a spot. */
export function emptyTimeAt({ column: { resource, date }, minute }: Spot): GridEvent {
  const start = midnightOf(dayOf(date)) + minute
  return {
    id: 'drawn',
    resources: [resource],
    start_at: localDateTimeFor(start),
    end_at: localDateTimeFor(start + STEP_MINUTES),
    className: '',
    isMovable: false,
    content: { kind: 'slot', text: { time: '', student: '' } },
  }
}

/** Returns the spot within the hours shown that is nearest to a point, which may be outside of the board. */
export function spotAt({ x, y }: Point, main: HTMLElement, { columns, hours }: Spots): Spot | undefined {
  const { left, right } = viewOf(main)
  const within = Math.min(Math.max(x, left), right - 2)
  const days = [...main.querySelectorAll('.board-day')].map((day) => day.getBoundingClientRect())
  const index = days.findIndex((day) => day.left <= within && within < day.right)
  const [day, column] = [days[index], columns[index]]
  if (!day || !column) return undefined
  const steps = minutesOf(hours) / STEP_MINUTES
  const minute = hours.start + Math.floor(((y - day.top) / day.height) * steps) * STEP_MINUTES
  return { column, minute: Math.min(Math.max(minute, hours.start), hours.end - STEP_MINUTES) }
}

/** Returns the part of the board that shows events, in pixels of the window. */
export function viewOf(main: HTMLElement): DOMRect {
  const { left, top } = main.getBoundingClientRect()
  const corner = main.querySelector('.board-corner')?.getBoundingClientRect()
  const [start, head] = [corner?.right ?? left, corner?.bottom ?? top]
  return new DOMRect(start, head, left + main.clientWidth - start, top + main.clientHeight - head)
}

/** Returns the pixels to scroll for a pointer at a position between two edges. */
export function stepAt(position: number, start: number, end: number): number {
  if (position < start + EDGE) return Math.max(-SCROLL_MOST, (position - start - EDGE) / 3)
  if (position > end - EDGE) return Math.min(SCROLL_MOST, (position - end + EDGE) / 3)
  return 0
}
