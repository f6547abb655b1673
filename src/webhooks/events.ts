export function isSubscribed(events: readonly string[], type: string): boolean {
  const [resource] = type.split('.')
  return events.includes('*') || events.includes(`${resource}.*`) || events.includes(type)
}
