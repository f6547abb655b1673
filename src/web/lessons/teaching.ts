import type { Appointment } from '../../contract/appointment.ts'
import type { Instructor } from '../../contract/instructor.ts'
import type { LessonType } from '../../contract/lesson-type.ts'
import type { LicenseClassTemplate } from '../../contract/license-class-template.ts'
import type { OpeningBalance } from '../../contract/opening-balance.ts'
import { outcomeFor } from '../../domain/group.ts'
import { intervalOf, minutesOf } from '../../domain/interval.ts'
import { dateOf } from '../../domain/local-time.ts'
import { isCovered, type LessonCount, lessonsFor, progressIn } from '../../domain/progress.ts'
import { countedGearboxOf, type Requirement } from '../../domain/requirements.ts'
import { belongsToClass, type Learning, teachesClassOf } from '../../domain/warnings.ts'
import { actualIntervalOf } from '../../domain/worked.ts'
import type { School } from '../ui/school.tsx'

/** Returns a student's class; undefined without a student or class. */
export function classOf(
  student_id: string | null,
  { student, templates }: Pick<School, 'student' | 'templates'>,
): LicenseClassTemplate | undefined {
  const id = student.get(student_id ?? '')?.license_class_template_id
  return templates.find((template) => template.id === id)
}

/** The fit of an instructor for a student; `strange` if the instructor does not teach the student's class. */
export type Fit = 'preferred' | 'teaches' | 'strange'
const FITS: readonly Fit[] = ['preferred', 'teaches', 'strange']

/** Returns the instructors with their fit for a student, best first. Ties keep their order. */
export function byFit(
  instructors: readonly Instructor[],
  student_id: string | null,
  school: Pick<School, 'student' | 'templates'>,
): readonly { readonly instructor: Instructor; readonly fit: Fit }[] {
  const preferred = school.student.get(student_id ?? '')?.preferred_instructor_id
  const license_class = classOf(student_id, school)?.license_class ?? null
  const fitOf = ({ id, license_classes }: Instructor): Fit => {
    if (!teachesClassOf(license_classes, { license_class })) return 'strange'
    return id === preferred ? 'preferred' : 'teaches'
  }
  return instructors
    .map((instructor) => ({ instructor, fit: fitOf(instructor) }))
    .toSorted((a, b) => FITS.indexOf(a.fit) - FITS.indexOf(b.fit))
}

/** Returns the lesson types of a class, and the others. Without a class, all are its own. */
export function typesOf(
  template: LicenseClassTemplate | undefined,
  lessonTypes: readonly LessonType[],
): { readonly own: readonly LessonType[]; readonly other: readonly LessonType[] } {
  const isOwn = (type: LessonType) =>
    !template ||
    belongsToClass(
      type,
      template.requirements.find((one) => one.lesson_type_id === type.id),
    )
  return { own: lessonTypes.filter(isOwn), other: lessonTypes.filter((type) => !isOwn(type)) }
}

/** The units of a type that are not planned yet, or the minimum length if only a long lesson is missing. */
export type OpenRequirement = {
  readonly type: LessonType
  readonly of: 'units' | 'block'
  readonly count: number
}

/** The lessons of a student, and the units brought along. */
type LessonsOfStudent = {
  readonly student_id: string
  readonly lessons: readonly Appointment[]
  readonly opening: OpeningBalance
}

/** Returns the requirements of a class that a student's lessons do not meet, in order, with lesson types that the school offers. */
export function openRequirementsFor(
  template: LicenseClassTemplate,
  { student_id, lessons, opening }: LessonsOfStudent,
  {
    lessonType,
    vehicle,
    instructor,
    tenant: { unit_minutes },
  }: Pick<School, 'lessonType' | 'tenant' | 'vehicle' | 'instructor'>,
): readonly OpenRequirement[] {
  const learnt = lessonsFor(template.license_class, [
    ...lessonsAlikeIn(lessons, student_id, { lessonType, vehicle, instructor }),
    ...openingIn(opening, lessonType),
  ])
  return requirementsOf(template, lessonType).flatMap((requirement): readonly OpenRequirement[] => {
    const type = offeredFor(requirement.lesson_type_id, lessonType)
    if (!type || isCovered(requirement, learnt, unit_minutes)) return []
    const { open_units } = progressIn(requirement, learnt, unit_minutes)
    if (open_units > 0) return [{ type, of: 'units', count: open_units }]
    return [{ type, of: 'block', count: requirement.min_one_block_units ?? 0 }]
  })
}

/** Returns a class's requirements in the form in which progress counts them. */
export function requirementsOf(
  { requirements }: LicenseClassTemplate,
  lessonType: School['lessonType'],
): readonly Requirement[] {
  const keyOf = (lesson_type_id: string) => lessonType.get(lesson_type_id)?.requirement_key ?? null
  return requirements.map((one) => ({
    ...one,
    requirement_key: keyOf(one.lesson_type_id),
    // An app may be newer than the service that it reads from.
    includes: [...lessonType.values()]
      .filter(({ code }) => one.includes?.includes(code))
      .map(({ id, requirement_key }) => ({ lesson_type_id: id, requirement_key })),
  }))
}

/** Returns the lesson type or, if it is hidden, the first offered one that counts toward the same requirement. */
function offeredFor(id: string, lessonType: School['lessonType']): LessonType | undefined {
  const named = lessonType.get(id)
  if (!named?.hidden) return named
  const { requirement_key: key } = named
  return [...lessonType.values()].find((one) => !one.hidden && key !== null && one.requirement_key === key)
}

/** Returns a student's lessons in the form in which progress counts them. */
export function lessonsAlikeIn(
  lessons: readonly Appointment[],
  student_id: string,
  {
    lessonType,
    vehicle,
    instructor,
  }: Pick<School, 'lessonType'> & Partial<Pick<School, 'vehicle' | 'instructor'>>,
): Learning['lessons'] {
  const vehiclesOf = ({ vehicle_ids }: Appointment) => vehicle_ids.flatMap((id) => vehicle?.get(id) ?? [])
  return lessons.map((lesson) => ({
    ...lesson,
    status: outcomeFor(student_id, lesson),
    requirement_key: lessonType.get(lesson.lesson_type_id)?.requirement_key ?? null,
    gearbox: countedGearboxOf(lessonType.get(lesson.lesson_type_id), vehiclesOf(lesson)),
    by_trainee: instructor?.get(lesson.instructor_id)?.is_trainee ?? false,
    minutes: minutesOf(intervalOf(lesson)),
    actual_minutes: lesson.actual_start_at === null ? null : minutesOf(actualIntervalOf(lesson)),
    count: 1,
    passed_on: lesson.exam_result?.passed ? dateOf(lesson.start_at) : null,
  }))
}

/** Returns the opening balance in the form in which progress counts it. */
export function openingIn(opening: OpeningBalance, lessonType: School['lessonType']): readonly LessonCount[] {
  return opening.map(({ lesson_type_id, units }) => ({
    lesson_type_id,
    requirement_key: lessonType.get(lesson_type_id)?.requirement_key ?? null,
    license_class: null,
    status: 'opening',
    minutes: 0,
    units,
    count: 1,
  }))
}
