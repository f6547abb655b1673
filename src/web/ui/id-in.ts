const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** The id that an address holds, if it is one. */
export function idIn(value: unknown): string | undefined {
  return typeof value === 'string' && ID.test(value) ? value : undefined
}
