import type { Calendar } from '@event-calendar/core'

const FEW = 20

/**
 * Tells the calendar what has changed since it was last told, for it draws everything anew that it is given; all of it where
 * nothing is known of what it shows. Returns what it shows now: the blocks, as text, by id.
 */
export function syncEvents(
  calendar: Calendar,
  shown: ReadonlyMap<string, string> | undefined,
  events: readonly Calendar.EventInput[],
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
