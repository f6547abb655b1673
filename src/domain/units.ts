/** A length as people read it: units with at most two decimals. Rules compare whole minutes instead. */
export function unitsOf(minutes: number, unitMinutes: number): number {
  return Math.round((minutes * 100) / unitMinutes) / 100
}
