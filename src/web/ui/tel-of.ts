/** Emergency numbers have three digits; what has fewer is not a number. */
const SHORTEST_NUMBER = 3

/** Returns the `tel:` address of a written number; undefined if it is none. */
export function telOf(phone: string): string | undefined {
  const number = phone.replace(/[^+\d]/g, '')
  return number.length >= SHORTEST_NUMBER ? `tel:${number}` : undefined
}
