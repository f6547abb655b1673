/** The searched day, which is a Monday. */
export const MONDAY = '2030-05-06'

/** The parameters of a search for free times. A list repeats its parameter, and undefined removes a default. */
export type SlotQuery = Readonly<Record<string, string | readonly string[] | undefined>>

/** Returns the path of a search, by default for an hour on `MONDAY` at full hours. */
export function slotsPath(query: SlotQuery): string {
  const parameters = new URLSearchParams()
  const whole = { from: MONDAY, to: MONDAY, minutes: '60', step: '60', ...query }
  for (const [name, value] of Object.entries(whole))
    for (const one of value === undefined ? [] : [value].flat()) parameters.append(name, one)
  return `/slots?${parameters}`
}
