import type { Appointment } from '../../contract/appointment.ts'
import { besideUsual, type VehicleUse, vehiclesAfter, vehiclesFor } from '../../domain/lesson-vehicles.ts'
import type { SlotsQuery } from '../data/slots.ts'
import type { School } from '../ui/school.tsx'

export type VehicleQuery = Pick<SlotsQuery, 'vehicle' | 'vehicle_ids'>

export type FleetSchool = Pick<School, 'instructor' | 'lessonType' | 'student' | 'templates' | 'vehicle'>

type DrivenLesson = Pick<Appointment, 'instructor_id' | 'lesson_type_id' | 'student_id'> & {
  readonly vehicle_ids?: readonly string[]
}

/** Returns a lesson's vehicles after a change of its instructor, type or student; the same list if none of them changes. */
export function vehiclesIn<T extends readonly string[]>(
  lesson: DrivenLesson & { readonly vehicle_ids?: T },
  next: DrivenLesson,
  school: FleetSchool,
): T | string[] {
  const { vehicle_ids = [] } = lesson
  const after = vehiclesAfter(
    vehicle_ids,
    [vehicleUseOf(lesson, school), vehicleUseOf(next, school)],
    school.vehicle,
  )
  return lesson.vehicle_ids && after.join() === vehicle_ids.join() ? lesson.vehicle_ids : after
}

/** Returns the vehicles of a new lesson for which none are chosen. */
export function usualVehiclesOf(lesson: DrivenLesson, school: FleetSchool): string[] {
  return vehiclesFor(vehicleUseOf(lesson, school), school.vehicle)
}

/** Returns the parameters of a search for times at which a lesson's vehicles are free: the usual ones of each instructor, and those chosen by hand. */
export function vehicleQueryFor(lesson: DrivenLesson, school: FleetSchool): VehicleQuery {
  const { vehicle_ids = [] } = lesson
  if (school.vehicle.size === 0 && vehicle_ids.length === 0) return {}
  const beside = besideUsual(vehicle_ids, vehicleUseOf(lesson, school), school.vehicle)
  return beside ? { vehicle: 'usual', vehicle_ids: beside } : { vehicle_ids }
}

function vehicleUseOf(
  { instructor_id, lesson_type_id, student_id }: DrivenLesson,
  { instructor, lessonType, student, templates }: FleetSchool,
): VehicleUse {
  const class_id = student.get(student_id ?? '')?.license_class_template_id
  return {
    usual_vehicle_id: instructor.get(instructor_id)?.usual_vehicle_id ?? null,
    lesson_type: lessonType.get(lesson_type_id),
    student_class: templates.find(({ id }) => id === class_id),
  }
}
