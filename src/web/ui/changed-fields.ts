/** Whether a form differs from what was seen. */
export function isChanged(wanted: object, seen: object): boolean {
  return Object.keys(changedFields(wanted, seen)).length > 0
}

/** The fields of a form that differ from what was seen; lists are compared by what they hold. */
export function changedFields<T extends object>(wanted: T, seen: object): Partial<T> {
  const before = seen as Readonly<Record<string, unknown>>
  return Object.fromEntries(
    Object.entries(wanted).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])),
  ) as Partial<T>
}
