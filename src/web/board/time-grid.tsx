import './time-grid.css'
import './column-head.css'
import './block.css'
import './freed-time.css'
import {
  type CSSProperties,
  memo,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react'
import type { Interval } from '../../domain/interval.ts'
import { dateOf, localDateTimeFor, minuteOfDay, timeOf } from '../../domain/local-time.ts'
import { useNow } from '../ui/use-now.ts'
import { EventBody, Lines } from './block.tsx'
import { type GridColumn, type GridEvent, type Place, placesOf } from './grid-event.ts'
import type { GridActs } from './grid-pointer.ts'
import { LegendButton } from './legend/legend-button.tsx'
import { MINUTES_PER_HOUR, STEP_MINUTES } from './opening-hours.ts'
import { useKeptFocus } from './use-kept-focus.ts'
import { usePointer } from './use-pointer.ts'

/** The height of a step, in which a name fits beside the times of a short lesson, and the free pixels beside a lesson. */
const STEP_PX = 16
const GAP_PX = 4

/** A column with its head. */
export type HeadedColumn = GridColumn & { readonly head: ReactNode }

type TimeGridProps = {
  readonly columns: readonly HeadedColumn[]
  readonly events: readonly GridEvent[]
  /** The hours shown, in minutes of the day. */
  readonly hours: Interval
  /** The minute of the day to scroll to, at first and on another day. */
  readonly scrollTo: number
  /** The least width of a column, in pixels. */
  readonly narrowest: number
  readonly acts: GridActs
  /** Whether a booking form is open, so that a drawn time stays. */
  readonly isBooking: boolean
}

/** Shows events in columns over the hours of a day. Lessons are moved and lengthened, and times drawn, by mouse or touch. */
export function TimeGrid({ columns, events, hours, scrollTo, narrowest, acts, isBooking }: TimeGridProps) {
  const main = useRef<HTMLDivElement>(null)
  const { preview, clear, onPointerDown } = usePointer(main, { columns, events, hours }, acts)
  useScroll(main, { columns, hours, scrollTo })
  useKeptFocus(main)
  useEffect(() => {
    if (!isBooking) clear()
  }, [isBooking, clear])
  const size = {
    '--columns': columns.length,
    '--narrowest': `${narrowest}px`,
    '--step': `${STEP_PX}px`,
  } as CSSProperties
  return (
    <div className="time-grid">
      <div ref={main} className="board-main" style={size} onPointerDown={onPointerDown}>
        <Heads columns={columns} />
        <div className="board-body">
          <Hours {...hours} />
          <div className="board-days">
            {columns.map(({ resource, date }) => (
              <div key={`${resource} ${date}`} className="board-day" />
            ))}
          </div>
          <div className="board-events">
            <Events {...{ events, columns, hours }} />
            {preview && <Preview {...{ preview, columns, hours }} />}
          </div>
        </div>
        <NowLine {...{ columns, hours }} />
      </div>
    </div>
  )
}

function Heads({ columns }: Pick<TimeGridProps, 'columns'>) {
  const today = dateOf(useNow())
  return (
    <div className="board-heads">
      <div className="board-corner">
        <LegendButton />
      </div>
      {columns.map(({ resource, date, head }) => (
        <div key={`${resource} ${date}`} className={date === today ? 'board-head is-today' : 'board-head'}>
          {head}
        </div>
      ))}
    </div>
  )
}

function Hours({ start, end }: Interval) {
  const hours = Array.from({ length: (end - start) / MINUTES_PER_HOUR }, (_, index) => index)
  return (
    <div className="board-hours" aria-hidden>
      {hours.map((hour) => (
        <div key={hour} className="board-hour">
          {timeOf(localDateTimeFor(start + hour * MINUTES_PER_HOUR))}
        </div>
      ))}
    </div>
  )
}

type EventsProps = Pick<TimeGridProps, 'columns' | 'events' | 'hours'>

/** Shows the events. Not rendered again while a lesson is dragged. */
const Events = memo(function Events({ events, columns, hours }: EventsProps) {
  const places = useMemo(() => placesOf(events, columns, hours), [events, columns, hours])
  return places.map((place) => <EventBox key={place.key} place={place} opening={hours.start} />)
})

type EventBoxProps = { readonly place: Place; readonly opening: number }

/** Shows an event in its place. Compared by value, because lists of lessons are read anew. */
const EventBox = memo(
  function EventBox({ place, opening }: EventBoxProps) {
    const { event } = place
    const style = { ...boxStyle(place, opening), ...event.style }
    if (event.content.kind === 'background') {
      return (
        <div className={`board-background ${event.className}`} style={style}>
          <EventBody event={event} />
        </div>
      )
    }
    return (
      <div
        className={`board-event ${event.className}`}
        style={style}
        data-column={place.column}
        data-movable={event.isMovable ? event.id : undefined}
      >
        <EventBody event={event} />
        {event.isMovable && <div className="resizer" />}
      </div>
    )
  },
  (a, b) => a.opening === b.opening && JSON.stringify(a.place) === JSON.stringify(b.place),
)

/** Shows the lesson that is dragged, or the time that is drawn. */
function Preview({ preview, columns, hours }: Omit<EventsProps, 'events'> & { readonly preview: GridEvent }) {
  const { content, start_at, end_at, className, style } = preview
  const text = content.kind === 'lesson' || content.kind === 'ghost' ? content.text : {}
  return placesOf([preview], columns, hours).map((place) => (
    <div
      key={place.key}
      className={`board-event board-preview ${className}`}
      style={{ ...boxStyle(place, hours.start), ...style }}
    >
      <div className="block">
        <Lines {...text} time={`${timeOf(start_at)}–${timeOf(end_at)}`} />
      </div>
    </div>
  ))
}

/** Returns the box in pixels: custom properties would pass to the elements inside, and cost more than drawing them. */
function boxStyle({ column, start, end, lane, lanes }: Place, opening: number): CSSProperties {
  const width = `(100% - ${GAP_PX}px) / ${lanes}`
  return {
    gridColumn: column + 1,
    insetBlockStart: pixelsOf(start - opening),
    blockSize: pixelsOf(end - start),
    ...(lanes > 1 && { insetInlineStart: `calc(${width} * ${lane})`, inlineSize: `calc(${width})` }),
  }
}

function pixelsOf(minutes: number): string {
  return `${(minutes / STEP_MINUTES) * STEP_PX}px`
}

/** Shows the current time across today's columns. */
function NowLine({ columns, hours }: Pick<TimeGridProps, 'columns' | 'hours'>) {
  const now = useNow()
  const minute = minuteOfDay(timeOf(now))
  const first = columns.findIndex(({ date }) => date === dateOf(now))
  if (first < 0 || minute < hours.start || minute > hours.end) return null
  const count = columns.filter(({ date }) => date === dateOf(now)).length
  const style = {
    gridColumn: `${first + 2} / span ${count}`,
    insetBlockStart: pixelsOf(minute - hours.start),
  }
  return <div className="now-line" style={style} />
}

/** Scrolls to a minute, at first, on another day and to another minute. Otherwise the times shown stay where they are. */
function useScroll(
  main: RefObject<HTMLElement | null>,
  { columns, hours, scrollTo }: Pick<TimeGridProps, 'columns' | 'hours' | 'scrollTo'>,
): void {
  const dates = [...new Set(columns.map(({ date }) => date))].join()
  const first = useRef(hours.start)
  useLayoutEffect(() => {
    main.current?.scrollBy(0, ((first.current - hours.start) / STEP_MINUTES) * STEP_PX)
    first.current = hours.start
  }, [main, hours.start])
  // biome-ignore lint/correctness/useExhaustiveDependencies: other hours and new columns must not scroll the board
  useLayoutEffect(() => {
    if (!main.current) return
    // Half a step above, where the label of the hour is.
    main.current.scrollTop = ((scrollTo - hours.start) / STEP_MINUTES - 0.5) * STEP_PX
  }, [main, dates, scrollTo])
}
