/** The least number of digits: emergency numbers have three. */
const SHORTEST_NUMBER = 3

type Phones = { readonly phone: string | null; readonly phone_2: string | null }

/** Returns a person's distinct numbers. */
export function numbersOf({ phone, phone_2 }: Phones): readonly string[] {
  return [...new Set([phone, phone_2])].filter((number) => number !== null)
}

/** Returns the `tel:` address of a written number; undefined if it is none. */
export function telOf(phone: string): string | undefined {
  const number = phone.replace(/[^+\d]/g, '')
  return number.length >= SHORTEST_NUMBER ? `tel:${number}` : undefined
}
