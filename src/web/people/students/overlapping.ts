import type { Appointment } from '../../../contract/appointment.ts'

type Timed = Pick<Appointment, 'start_at' | 'end_at' | 'status'>

/** Returns the lessons of one student that overlap a lesson of another, by start. Neither has lessons that overlap each other; cancelled ones do not count. */
export function overlapping<T extends Timed>(own: readonly Timed[], theirs: readonly T[]): readonly T[] {
  const mine = standing(own)
  let at = 0
  return standing(theirs).filter(({ start_at, end_at }) => {
    while ((mine[at]?.end_at ?? end_at) <= start_at) at++
    return (mine[at]?.start_at ?? end_at) < end_at
  })
}

function standing<T extends Timed>(lessons: readonly T[]): readonly T[] {
  return lessons
    .filter(({ status }) => status !== 'cancelled')
    .toSorted((a, b) => (a.start_at < b.start_at ? -1 : 1))
}
