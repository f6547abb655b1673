import {
  createCalendar,
  destroyCalendar,
  type Calendar as EventCalendar,
  Interaction,
  ResourceTimeGrid,
  TimeGrid,
} from '@event-calendar/core'
import '@event-calendar/core/index.css'
import './calendar.css'
import { useEffect, useRef } from 'react'

type CalendarProps = {
  readonly options: EventCalendar.Options
  readonly events: readonly EventCalendar.EventInput[]
  /** Whether a lesson is being dragged, which the calendar draws itself. */
  readonly isHeld: () => boolean
  /** Whether the selection of empty time must stay. */
  readonly hasSelection: boolean
}

/** Wraps the calendar for React. Compares options by value; functions must be stable. */
export function Calendar({ options, events, isHeld, hasSelection }: CalendarProps) {
  const host = useRef<HTMLDivElement>(null)
  const calendar = useRef<EventCalendar>(undefined)
  const shown = useRef<Applied>({ options, events: new Map() })
  const first = useRef(options)

  useEffect(() => {
    if (!host.current) return
    const made = createCalendar(host.current, [ResourceTimeGrid, TimeGrid, Interaction], first.current)
    calendar.current = made
    shown.current = { options: first.current, events: new Map() }
    return () => void destroyCalendar(made)
  }, [])

  // On every render: events that arrive during a drag are shown at its end.
  useEffect(() => {
    if (!calendar.current || isHeld()) return
    const isOther = shown.current.options.view !== options.view
    setChanged(calendar.current, shown.current, options)
    const known = isOther ? undefined : shown.current.events
    shown.current.events = syncEvents(calendar.current, known, events)
  })

  useEffect(() => {
    if (!hasSelection) calendar.current?.unselect()
  }, [hasSelection])

  return <div className="calendar" ref={host} />
}

type Applied = { options: EventCalendar.Options; events: ReadonlyMap<string, string> }

function setChanged(calendar: EventCalendar, shown: Applied, options: EventCalendar.Options): void {
  for (const name of Object.keys(options) as (keyof EventCalendar.Options)[]) {
    if (isSame(shown.options[name], options[name])) continue
    calendar.setOption(name, options[name])
  }
  shown.options = options
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b))
}

const FEW = 20

/** Passes only changed events to the calendar, which redraws everything it gets. Returns the serialized events by id. */
function syncEvents(
  calendar: EventCalendar,
  shown: ReadonlyMap<string, string> | undefined,
  events: readonly EventCalendar.EventInput[],
): ReadonlyMap<string, string> {
  const next = new Map(events.map((event) => [String(event.id), JSON.stringify(event)]))
  if (!shown) {
    calendar.setOption('events', [...events])
    return next
  }
  const changed = events.filter(({ id }) => shown.get(String(id)) !== next.get(String(id)))
  const gone = [...shown.keys()].filter((id) => !next.has(id))
  if (changed.length + gone.length > FEW) {
    calendar.setOption('events', [...events])
    return next
  }
  for (const id of gone) calendar.removeEventById(id)
  for (const event of changed) {
    if (shown.has(String(event.id))) calendar.updateEvent(event)
    else calendar.addEvent(event)
  }
  return next
}
