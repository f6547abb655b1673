import type { LessonType } from '../contract/lesson-type.ts'
import type { LicenseClassTemplate } from '../contract/license-class-template.ts'
import type { OpeningBalance } from '../contract/opening-balance.ts'
import type { ListedStudent } from '../contract/student.ts'
import type { LocalDate } from '../domain/local-time.ts'
import { type DemoStudent, PRACTICAL_EXAM, READY } from './lessons.ts'
import type { BookedLesson } from './outcomes.ts'

/** Returns the units that a student had before the school used the service: all required ones from stage `READY` on. */
export function openingBalanceAt(
  stage: number,
  template: LicenseClassTemplate | undefined,
  date: LocalDate,
): OpeningBalance {
  const share = Math.min(Math.max(stage - 0.3, 0) / (READY - 0.3), 1)
  return (template?.requirements ?? []).flatMap(({ lesson_type_id, required_units }) => {
    const units = Math.floor(required_units * share)
    return units === 0 ? [] : [{ lesson_type_id, units, date, source: 'Ausbildungskarte vor dem Umstieg' }]
  })
}

/** Returns the students with their stages, which rise with the position in the list. */
export function learnersOf(students: readonly ListedStudent[], templates: readonly LicenseClassTemplate[]) {
  const byId = new Map(templates.map((template) => [template.id, template]))
  return students.map(
    (
      { id, license_class_template_id, preferred_instructor_id, pickup_place, enrolments = [] },
      index,
    ): DemoStudent => {
      const template = byId.get(license_class_template_id ?? '')
      const license_class = template?.license_class ?? 'B'
      const stage = index / students.length
      const enrolment_id = enrolments.find(({ is_current }) => is_current)?.id ?? null
      return {
        id,
        instructor_id: preferred_instructor_id,
        license_class,
        enrolment_id,
        template,
        pickup_place,
        stage,
      }
    },
  )
}

/** Returns the ids of the students who have a practical test. */
export function examinedIn(booked: readonly BookedLesson[], lessonTypes: readonly LessonType[]): Set<string> {
  const exam = lessonTypes.find(({ code }) => code === PRACTICAL_EXAM)?.id
  const exams = booked.filter(({ lesson_type_id }) => lesson_type_id === exam)
  return new Set(exams.flatMap(({ student_id }) => student_id ?? []))
}
