/** The Monday of lessons whose day does not matter. */
const MONDAY = '2026-05-04'

/** Returns a start and an end within a day: `at('08:00', '08:45')`. */
export function at(
  start: string,
  end: string,
  day = MONDAY,
): { readonly start_at: string; readonly end_at: string } {
  return { start_at: `${day} ${start}`, end_at: `${day} ${end}` }
}
