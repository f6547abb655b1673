/** Serializes a JSON value with sorted keys, so that equal values give equal texts. */
export function canonicalJson(value: unknown): string | undefined {
  return JSON.stringify(value, (_, part) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
}
