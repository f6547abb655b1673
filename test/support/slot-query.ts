/** The day that is searched, and a Monday. */
export const MONDAY = '2030-05-06'

/** Parameters of a search for free times: several values, or none where there is one by default. */
export type SlotQuery = Readonly<Record<string, string | readonly string[] | undefined>>

/** The path of a search: an hour on the Monday, at full hours, unless the parameters say otherwise. */
export function slotsPath(query: SlotQuery): string {
  const parameters = new URLSearchParams()
  const whole = { from: MONDAY, to: MONDAY, minutes: '60', step: '60', ...query }
  for (const [name, value] of Object.entries(whole))
    for (const one of value === undefined ? [] : [value].flat()) parameters.append(name, one)
  return `/slots?${parameters}`
}
