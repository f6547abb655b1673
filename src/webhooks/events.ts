/** Whether a type such as `appointment.changed` is among the events of a webhook. */
export function isSubscribed(events: readonly string[], type: string): boolean {
  const [resource] = type.split('.')
  return events.includes('*') || events.includes(`${resource}.*`) || events.includes(type)
}
