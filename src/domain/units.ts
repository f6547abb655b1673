/** A length as people read it: units with at most two decimals. Rules compare whole minutes instead. */
export function unitsOf(minutes: number, unitMinutes: number): number {
  return Math.round((minutes * 100) / unitMinutes) / 100
}

/** The whole units of a lesson: by these the law counts what a class demands, lesson by lesson. */
export function wholeUnitsOf(minutes: number, unitMinutes: number): number {
  return Math.floor(minutes / unitMinutes)
}
