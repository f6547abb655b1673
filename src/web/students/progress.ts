import type { Appointment } from '../../contract/appointment.ts'
import type { LicenseClassTemplate } from '../../contract/license-class-template.ts'
import { intervalOf, minutesOf } from '../../domain/interval.ts'
import { unitsOf } from '../../domain/units.ts'

/** Units of a lesson type: done, planned, and what the class demands. */
type Progress = {
  readonly lessonTypeId: string
  readonly done: number
  readonly ahead: number
  readonly required: number | undefined
}

/** A line for every lesson type that the student has had, will have, or has to have. */
export function progressOf(
  lessons: readonly Appointment[],
  template: LicenseClassTemplate | undefined,
  unitMinutes: number,
): readonly Progress[] {
  const requirements = template?.requirements ?? []
  const counted = lessons.filter(({ status }) => status === 'completed' || status === 'planned')
  const ids = new Set([...requirements, ...counted].map(({ lesson_type_id }) => lesson_type_id))
  return [...ids].map((lessonTypeId) => {
    const ofType = counted.filter(({ lesson_type_id }) => lesson_type_id === lessonTypeId)
    const units = (status: Appointment['status']) =>
      unitsOf(
        ofType
          .filter((lesson) => lesson.status === status)
          .reduce((sum, lesson) => sum + minutesOf(intervalOf(lesson)), 0),
        unitMinutes,
      )
    const requirement = requirements.find(({ lesson_type_id }) => lesson_type_id === lessonTypeId)
    return {
      lessonTypeId,
      done: units('completed'),
      ahead: units('planned'),
      required: requirement?.required_units,
    }
  })
}
