import type { Appointment } from '../../contract/appointment.ts'
import type { Verdict } from '../../domain/booking.ts'
import { intervalOf, overlaps } from '../../domain/interval.ts'
import { dateOf, dayOf, daysLater, type LocalDate, mondayOf } from '../../domain/local-time.ts'
import { reachOfWeek } from '../../domain/reach.ts'
import { type Draft, type Known, type Rules, verdictFor } from './verdict.ts'

/** The result of judging by the lessons in memory; without a verdict while a week that matters is missing. */
export type Judgement = {
  readonly verdict: Verdict | undefined
  readonly lessons: readonly Appointment[]
  /** The Mondays of the weeks that the rules look at, read or not. */
  readonly weeks: readonly LocalDate[]
}

/** The lessons around the ISO week of a Monday, if they have been read. */
type Read = (monday: LocalDate) => readonly Appointment[] | undefined

/** Judges a complete draft: by the week of its start, and by its neighbours where the stretch without a break reaches on. */
export function judge(draft: Draft, school: Rules, read: Read): Judgement {
  const monday = mondayOf(dateOf(draft.start_at))
  const weeks = [monday]
  let known = knownOf(monday, read)
  if (!school.instructor.has(draft.instructor_id)) return { verdict: undefined, lessons: [], weeks }
  for (let beside = 7; known; beside += 7) {
    const verdict = verdictFor(draft, known, school)
    if (verdict) return { verdict, lessons: known.lessons, weeks }
    const neighbours = [daysLater(monday, -beside), daysLater(monday, beside)]
    weeks.push(...neighbours)
    for (const neighbour of neighbours) known = known && extended(known, knownOf(neighbour, read))
  }
  return { verdict: undefined, lessons: [], weeks }
}

function knownOf(monday: LocalDate, read: Read): Known | undefined {
  const lessons = read(monday)
  return lessons && { lessons, reach: reachOfWeek(dayOf(monday)) }
}

/** Returns the known lessons and those that a neighbouring week adds; undefined if either is missing. */
function extended({ lessons, reach }: Known, neighbour: Known | undefined): Known | undefined {
  return (
    neighbour && {
      lessons: [...lessons, ...neighbour.lessons.filter((lesson) => !overlaps(intervalOf(lesson), reach))],
      reach: {
        start: Math.min(reach.start, neighbour.reach.start),
        end: Math.max(reach.end, neighbour.reach.end),
      },
    }
  )
}
