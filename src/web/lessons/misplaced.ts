import type { TFunction } from 'i18next'
import type { Appointment } from '../../contract/appointment.ts'
import type { Instructor } from '../../contract/instructor.ts'
import type { Vehicle } from '../../contract/vehicle.ts'
import { absenceRefusalFor, isAbsent } from '../../domain/absence.ts'
import { type ClosedDays, timed } from '../../domain/agenda.ts'
import { availabilityRefusalFor } from '../../domain/availability.ts'
import { closureRefusalFor, holidayRefusalFor } from '../../domain/closed-days.ts'
import { intervalOf } from '../../domain/interval.ts'
import { dateOf, timeOf } from '../../domain/local-time.ts'
import { vacationRefusalFor } from '../../domain/vacation.ts'
import type { School } from '../ui/school.tsx'

/** The reason why a lesson cannot take place: a closed day, an absence (with times if within a day), or no working hours then. */
export type Misplaced = { readonly reason: 'closed' | 'absent' | 'outside'; readonly times?: string }

/** Checks the rules of booking again, because days, hours and absences may have changed. Only planned lessons can be moved. */
export function misplacedFor(
  lesson: Appointment,
  { vacations, absences, availability_windows }: Instructor,
  closed: ClosedDays | undefined,
): Misplaced | undefined {
  if (lesson.status !== 'planned') return undefined
  const { start_at, end_at } = lesson
  const proposed = timed({ start_at, end_at, counts_toward_limits: true })
  if (closed && (holidayRefusalFor(proposed, closed) ?? closureRefusalFor(proposed, closed))) {
    return { reason: 'closed' }
  }
  if (vacationRefusalFor(proposed, vacations)) return { reason: 'absent' }
  const absence = absenceRefusalFor(proposed, absences)?.params
  if (absence) return { reason: 'absent', ...('start_at' in absence && { times: timesOfAbsence(absence) }) }
  return availabilityRefusalFor(proposed, availability_windows) ? { reason: 'outside' } : undefined
}

/** Returns a vehicle of a planned lesson that is away then or no longer in use; undefined if there is none. */
export function absentVehicleFor(
  { status, vehicle_ids, start_at, end_at }: Appointment,
  { vehicles }: Pick<School, 'vehicles'>,
): Vehicle | undefined {
  if (status !== 'planned' || vehicle_ids.length === 0) return undefined
  const times = intervalOf({ start_at, end_at })
  return vehicles.find((one) => vehicle_ids.includes(one.id) && (!one.active || isAbsent(one, times)))
}

/** Returns the reason as text, with the times of an absence within a day. */
export function misplacedText({ reason, times = '' }: Misplaced, t: TFunction): string {
  return `${t(`board.${reason}`)} ${times}`.trim()
}

/** Returns the times of an absence within one day; empty for a longer one. */
function timesOfAbsence({ start_at, end_at }: { start_at: string; end_at: string }): string {
  return dateOf(start_at) === dateOf(end_at) ? `${timeOf(start_at)}–${timeOf(end_at)}` : ''
}
