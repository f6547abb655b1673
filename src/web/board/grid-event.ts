import { type Interval, intervalOf, pieceOn } from '../../domain/interval.ts'
import { dayOf, type LocalDate, type LocalDateTime } from '../../domain/local-time.ts'

/** The text of a lesson's block. */
export type BlockText = {
  readonly time: string
  readonly student: string
  /** The lines below the student, the most important first. */
  readonly lines: readonly string[]
  /** The short name of the lesson type, beside the time; empty if there is none. */
  readonly short: string
  readonly status: string
  /** The rule that the lesson breaks, or another reason for attention; empty if there is none. */
  readonly mark: string
  readonly notes: string
  /** The full text for screen readers. */
  readonly label: string
}

/** The text of a cancelled lesson's strip and of its panel. */
export type FreedText = {
  readonly label: string
  readonly who: string
  readonly what: string
  readonly notes: string
  /** The label of the button that books the time; empty if it is taken. */
  readonly book: string
  readonly open: string
}

/** The content of an event: a lesson, an offered time, a lesson that a plan proposes, or a background with a vacation's name, a cancelled lesson or dusk. */
export type EventContent =
  | { readonly kind: 'lesson'; readonly text: BlockText }
  | { readonly kind: 'slot'; readonly text: Pick<BlockText, 'time' | 'student'> }
  | { readonly kind: 'ghost'; readonly text: Pick<BlockText, 'time' | 'student' | 'mark' | 'label'> }
  | {
      readonly kind: 'background'
      readonly vacation?: string
      readonly freed?: FreedText
      readonly dusk?: string
    }

/** A time on the board, shown in the columns of its resources. */
export type GridEvent = {
  readonly id: string
  readonly resources: readonly string[]
  readonly start_at: LocalDateTime
  readonly end_at: LocalDateTime
  readonly className: string
  readonly style?: Readonly<Record<`--${string}`, string>>
  readonly isMovable: boolean
  readonly content: EventContent
}

/** A column of the board: a resource, which is an instructor or a vehicle, on a day. */
export type GridColumn = { readonly resource: string; readonly date: LocalDate }

/** An event's box: its column, its minutes of the day, and its lane beside the events that overlap. */
export type Place = {
  readonly key: string
  readonly event: GridEvent
  readonly column: number
  readonly start: number
  readonly end: number
  readonly lane: number
  readonly lanes: number
}

/** Returns the boxes of events within the hours, by column and time. A box that moves to another column keeps its key. */
export function placesOf(
  events: readonly GridEvent[],
  columns: readonly GridColumn[],
  hours: Interval,
): readonly Place[] {
  const days = columns.map(({ resource, date }, column) => ({ column, resource, day: dayOf(date) }))
  const daysOf = Map.groupBy(days, ({ resource }) => resource)
  const counts = new Map<string, number>()
  /** Returns the key of an event's next box. Events that are no lessons may have the same id. */
  const keyOf = (id: string) => {
    const count = counts.get(id) ?? 0
    counts.set(id, count + 1)
    return count === 0 ? id : `${id} ${count}`
  }
  const places = events.flatMap((event) => {
    const interval = intervalOf(event)
    return event.resources
      .flatMap((resource) => daysOf.get(resource) ?? [])
      .flatMap(({ column, day }) => {
        const piece = pieceOn(day, interval)
        const [start, end] = [Math.max(piece.start, hours.start), Math.min(piece.end, hours.end)]
        return start < end ? { key: keyOf(event.id), event, column, start, end } : []
      })
  })
  const sorted = places.toSorted((a, b) => a.column - b.column || a.start - b.start)
  return withLanes(sorted)
}

type Unlaned = Omit<Place, 'lane' | 'lanes'>
type Group = { readonly column: number; readonly ends: number[]; end: number }

/** Adds the lanes: blocks that overlap share the width of their column. */
function withLanes(sorted: readonly Unlaned[]): readonly Place[] {
  let group: Group = { column: -1, ends: [], end: 0 }
  const laned = sorted.map((place) => {
    if (place.event.content.kind === 'background') return { ...place, lane: 0, group: undefined }
    if (place.column !== group.column || place.start >= group.end) {
      group = { column: place.column, ends: [], end: place.end }
    }
    const free = group.ends.findIndex((end) => end <= place.start)
    const lane = free < 0 ? group.ends.length : free
    group.ends[lane] = place.end
    group.end = Math.max(group.end, place.end)
    return { ...place, lane, group }
  })
  return laned.map(({ group: own, ...place }) => ({ ...place, lanes: own?.ends.length ?? 1 }))
}
