const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** The id that an address holds, if it is one. */
export function idIn(value: unknown): string | undefined {
  return typeof value === 'string' && ID.test(value) ? value : undefined
}

/** The text that an address holds; one of digits has become a number. */
export function textIn(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}
