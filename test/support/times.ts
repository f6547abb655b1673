/** The Monday that lessons are on where the day does not matter. */
const MONDAY = '2026-05-04'

/** From when until when, within a day: `at('08:00', '08:45')`. */
export function at(
  start: string,
  end: string,
  day = MONDAY,
): { readonly start_at: string; readonly end_at: string } {
  return { start_at: `${day} ${start}`, end_at: `${day} ${end}` }
}
