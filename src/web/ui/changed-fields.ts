export function isChanged(wanted: object, seen: object): boolean {
  return Object.keys(differingFields(wanted, seen)).length > 0
}

export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** Returns the form's fields that differ; lists are compared by content. */
export function differingFields<T extends object>(wanted: T, seen: object): Partial<T> {
  const before = seen as Readonly<Record<string, unknown>>
  return Object.fromEntries(
    Object.entries(wanted).filter(([name, value]) => !isSame(value, before[name])),
  ) as Partial<T>
}
