import type { AbsenceDecision } from '../../contract/absence-decision.ts'
import type { Appointment } from '../../contract/appointment.ts'
import type { Slot } from '../../contract/slot.ts'
import type { StoredAppointment } from '../../db/appointments/appointments.ts'
import type { PlacedLesson } from '../../domain/school-calendar.ts'
import { localNow } from '../../domain/time-zone.ts'
import type { Planning } from './plan-slots.ts'

export function hasBegun({ start_at }: StoredAppointment, { actor }: Planning): boolean {
  return start_at < localNow(actor.now, actor.tenant.timezone)
}

/** Removes a lesson from the calendars of a plan. */
export function remove(lesson: StoredAppointment, { calendar, fullDays, lessonTypes }: Planning): void {
  calendar.remove(placed(lesson, { lessonTypes }))
  fullDays.delete(lesson.instructor_id)
}

/** Returns the decision to propose on a lesson, and places it there: later lessons are planned around it. */
export function propose(lesson: StoredAppointment, choices: Choices, planning: Planning): AbsenceDecision {
  const { calendar, fleet } = planning
  const proposal = proposalFor(lesson, hasBegun(lesson, planning), choices)
  const { action, appointment_id: _, version: __, cancellation: ___, ...place } = proposal
  const vehicle_ids = fleet.vehiclesWith(lesson, place.instructor_id ?? lesson.instructor_id)
  if (action !== 'cancel') calendar.place(placed({ ...lesson, vehicle_ids, ...place }, planning))
  return proposal
}

/** Returns a lesson as it occupies the calendars of a plan. */
export function placed<Lesson extends StoredAppointment>(
  lesson: Lesson,
  { lessonTypes }: Pick<Planning, 'lessonTypes'>,
): Lesson & PlacedLesson {
  const { counts_toward_limits = true } = lessonTypes.get(lesson.lesson_type_id) ?? {}
  return { ...lesson, counts_toward_limits }
}

type Choices = Readonly<Record<'take_over' | 'other_vehicle' | 'move', readonly Slot[]>>

function proposalFor(
  { id: appointment_id, version, instructor_id, vehicle_ids }: Appointment,
  hasBegun: boolean,
  { take_over: [other], other_vehicle: [sameTime], move: [time] }: Choices,
): AbsenceDecision {
  const lesson = { appointment_id, version }
  if (hasBegun) return { ...lesson, action: 'keep' }
  if (other) return { ...lesson, action: 'take_over', instructor_id: other.instructor_id }
  if (sameTime) return { ...lesson, action: 'other_vehicle', vehicle_ids: sameTime.vehicle_ids }
  if (!time) return { ...lesson, action: 'cancel', cancellation: { by: 'school' } }
  const { start_at, end_at } = time
  return {
    ...lesson,
    action: 'move',
    start_at,
    end_at,
    ...(time.instructor_id !== instructor_id && { instructor_id: time.instructor_id }),
    ...(time.vehicle_ids.join() !== vehicle_ids.join() && { vehicle_ids: time.vehicle_ids }),
  }
}
