import { intervalOf, minutesOf } from './interval.ts'
import type { LocalDateTime } from './local-time.ts'
import { unitsOf } from './units.ts'

/** A student's appointment. */
type Attended = {
  readonly lesson_type_id: string
  readonly start_at: LocalDateTime
  readonly end_at: LocalDateTime
  readonly status: string
}

/** How many units of a lesson type a class demands. */
type Requirement = { readonly lesson_type_id: string; readonly required_units: number }

/** Units of a lesson type: had, still to come, and what the class demands, if it does. */
export type Progress = {
  readonly lesson_type_id: string
  readonly done_units: number
  readonly planned_units: number
  readonly required_units: number | undefined
}

/** A line for every lesson type that the student has to have, has had or will have, in that order. */
export function progressOf(
  appointments: readonly Attended[],
  requirements: readonly Requirement[],
  unitMinutes: number,
): readonly Progress[] {
  const counted = appointments.filter(({ status }) => status === 'completed' || status === 'planned')
  const ids = new Set([...requirements, ...counted].map(({ lesson_type_id }) => lesson_type_id))
  return [...ids].map((id) => {
    const ofType = counted.filter(({ lesson_type_id }) => lesson_type_id === id)
    const unitsIn = (status: string) =>
      unitsOf(minutesOfAll(ofType.filter((one) => one.status === status)), unitMinutes)
    return {
      lesson_type_id: id,
      done_units: unitsIn('completed'),
      planned_units: unitsIn('planned'),
      required_units: requirements.find(({ lesson_type_id }) => lesson_type_id === id)?.required_units,
    }
  })
}

function minutesOfAll(appointments: readonly Attended[]): number {
  return appointments.reduce((sum, appointment) => sum + minutesOf(intervalOf(appointment)), 0)
}
