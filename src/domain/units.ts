/** Returns units with at most two decimals, for display. Rules compare whole minutes. */
export function unitsOf(minutes: number, unitMinutes: number): number {
  return Math.round((minutes * 100) / unitMinutes) / 100
}

/** Returns the whole units of a lesson, as the law counts them. */
export function wholeUnitsOf(minutes: number, unitMinutes: number): number {
  return Math.floor(minutes / unitMinutes)
}
