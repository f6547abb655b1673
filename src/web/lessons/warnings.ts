import type { Appointment } from '../../contract/appointment.ts'
import type { OpeningBalance } from '../../contract/opening-balance.ts'
import type { Darkness } from '../../domain/daylight.ts'
import type { LocalDateTime } from '../../domain/local-time.ts'
import { countsToward, type Requirement } from '../../domain/progress.ts'
import type { MissingTravelTime } from '../../domain/travel.ts'
import { type Learning, type Warning, warningsFor } from '../../domain/warnings.ts'
import type { School } from '../ui/school.tsx'
import { classOf, lessonsAlikeIn, openingIn } from './teaching.ts'
import type { LessonDraft } from './verdict.ts'

/** The school's data for warnings. */
type SchoolContext = Pick<School, 'student' | 'instructor' | 'lessonType' | 'templates' | 'tenant'> &
  Partial<Pick<School, 'vehicle' | 'days'>>

/** The school's clock and sky, and the known lessons of the draft's student. */
type Beside = {
  readonly now: LocalDateTime
  readonly sky: Darkness | undefined
  readonly lessons: readonly Appointment[] | undefined
  readonly opening: OpeningBalance | undefined
  readonly missingTravelTime?: MissingTravelTime | undefined
}

/** Returns the warnings about a complete draft, from the loaded lessons. */
export function warningsOn(
  draft: LessonDraft,
  school: SchoolContext,
  { now, lessons, opening, sky, missingTravelTime }: Beside,
): readonly Warning[] {
  const considered = {
    start_at: draft.start_at,
    end_at: draft.end_at,
    student_id: draft.student_id,
    license_classes: school.instructor.get(draft.instructor_id)?.license_classes ?? [],
    lesson_type: school.lessonType.get(draft.lesson_type_id),
    learning: learningOf(draft, school, { lessons: lessons ?? [], opening: opening ?? [] }),
    missingTravelTime,
    vehicles: (draft.vehicle_ids ?? []).flatMap((id) => school.vehicle?.get(id) ?? []),
  }
  return warningsFor(considered, {
    now,
    unit_minutes: school.tenant.unit_minutes,
    sky,
    holidayOn: school.days?.warnedOn,
  })
}

/** Returns the class requirement that the draft counts toward. Without one, the student's lessons are not needed. */
export function requirementFor(
  { student_id, lesson_type_id }: LessonDraft,
  { student, templates, lessonType }: Pick<School, 'student' | 'templates' | 'lessonType'>,
): Requirement | undefined {
  const keyOf = (id: string) => lessonType.get(id)?.requirement_key ?? null
  const asked = { lesson_type_id, requirement_key: keyOf(lesson_type_id) }
  return classOf(student_id, { student, templates })
    ?.requirements.map((one) => ({ ...one, requirement_key: keyOf(one.lesson_type_id) }))
    .find((one) => countsToward(one, asked))
}

type StudentLessons = { readonly lessons: readonly Appointment[]; readonly opening: OpeningBalance }

function learningOf(
  draft: LessonDraft,
  school: SchoolContext,
  { lessons, opening }: StudentLessons,
): Learning | undefined {
  const { id, student_id } = draft
  const learner = school.student.get(student_id ?? '')
  if (!learner) return undefined
  const template = classOf(student_id, school)
  return {
    license_class_template_id: template?.id ?? null,
    license_class: template?.license_class ?? null,
    requirement: requirementFor(draft, school) ?? null,
    opening: openingIn(opening, school.lessonType),
    lessons: lessonsAlikeIn(
      lessons.filter((lesson) => lesson.id !== id),
      learner.id,
      school.lessonType,
    ),
  }
}
