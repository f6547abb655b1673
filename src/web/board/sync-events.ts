import type { Calendar } from '@event-calendar/core'

const FEW = 20

/** Passes only changed events to the calendar, which redraws everything it gets. Returns the blocks' texts by id. */
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
