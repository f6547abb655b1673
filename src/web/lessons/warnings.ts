import type { Appointment } from '../../contract/appointment.ts'
import type { Check } from '../../contract/check.ts'
import type { OpeningBalance } from '../../contract/opening-balance.ts'
import { busyTimeWithin } from '../../domain/absence.ts'
import type { Darkness } from '../../domain/daylight.ts'
import { intervalOf } from '../../domain/interval.ts'
import type { LocalDateTime } from '../../domain/local-time.ts'
import { isExam } from '../../domain/readiness.ts'
import { isNamedBy, type Requirement } from '../../domain/requirements.ts'
import type { MissingTravelTime } from '../../domain/travel.ts'
import { type Learning, type Warning, warningsFor } from '../../domain/warnings.ts'
import type { School } from '../ui/school.tsx'
import { classOf, lessonsAlikeIn, openingIn, requirementsOf } from './teaching.ts'
import type { LessonDraft } from './verdict.ts'

/** The school's data for warnings. */
type SchoolContext = Pick<School, 'student' | 'instructor' | 'lessonType' | 'templates' | 'tenant'> &
  Partial<Pick<School, 'vehicle' | 'days'>>

/** The school's clock and darkness, and the known lessons of the draft's student. */
type Beside = {
  readonly now: LocalDateTime
  readonly darkness: Darkness | undefined
  readonly lessons: readonly Appointment[] | undefined
  readonly opening: OpeningBalance | undefined
  readonly missingTravelTime?: MissingTravelTime | undefined
  /** The service's check of an exam, for the warnings about papers, which the app does not have. */
  readonly examCheck?: Check | undefined
}

const ABOUT_PAPERS: readonly Warning['code'][] = [
  'paper_missing',
  'test_expired',
  'approval_expired',
  'retry_too_early',
  'training_outdated',
]

/** Returns the warnings about a complete draft, from the loaded lessons. */
export function warningsOn(
  draft: LessonDraft,
  school: SchoolContext,
  { now, lessons, opening, darkness, missingTravelTime, examCheck }: Beside,
): readonly Warning[] {
  const considered = {
    start_at: draft.start_at,
    end_at: draft.end_at,
    student_id: draft.student_id,
    license_classes: school.instructor.get(draft.instructor_id)?.license_classes ?? [],
    lesson_type: school.lessonType.get(draft.lesson_type_id),
    learning: learningOf(draft, school, { lessons: lessons ?? [], opening: opening ?? [] }),
    missingTravelTime,
    busyTime:
      school.tenant.busy_calendars === 'warn'
        ? busyTimeWithin(intervalOf(draft), school.days?.busy.get(draft.instructor_id)?.times)
        : undefined,
    vehicles: school.vehicle?.size
      ? (draft.vehicle_ids ?? []).flatMap((id) => school.vehicle?.get(id) ?? [])
      : undefined,
  }
  const local = warningsFor(considered, {
    now,
    unit_minutes: school.tenant.unit_minutes,
    examLaw: classOf(draft.student_id, school),
    darkness,
    holidayOn: school.days?.warnedOn,
  })
  const aboutPapers = (examCheck?.warnings ?? []).filter(({ code }) => ABOUT_PAPERS.includes(code))
  return [...local, ...(aboutPapers as Warning[])]
}

/** Whether the service has to check the draft for its papers: an exam of a student. */
export function needsExamCheck(
  { student_id, lesson_type_id }: LessonDraft,
  { lessonType }: Pick<School, 'lessonType'>,
): boolean {
  return student_id !== null && isExam(lessonType.get(lesson_type_id)?.category ?? '')
}

/** Returns the class requirement that the draft counts toward. Without one, the student's lessons are not needed. */
export function requirementFor(
  { student_id, lesson_type_id }: LessonDraft,
  { student, templates, lessonType }: Pick<School, 'student' | 'templates' | 'lessonType'>,
): Requirement | undefined {
  const template = classOf(student_id, { student, templates })
  if (!template) return undefined
  const requirement_key = lessonType.get(lesson_type_id)?.requirement_key ?? null
  return requirementsOf(template, lessonType).find(({ includes: _, ...own }) =>
    isNamedBy(own, { lesson_type_id, requirement_key }),
  )
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
    license_class_template_code: template?.code ?? null,
    license_class: template?.license_class ?? null,
    min_age: template?.min_age ?? null,
    birth_date: learner.birth_date,
    requirement: requirementFor(draft, school) ?? null,
    opening: openingIn(opening, school.lessonType),
    lessons: lessonsAlikeIn(
      lessons.filter((lesson) => lesson.id !== id),
      learner.id,
      school,
    ),
  }
}
