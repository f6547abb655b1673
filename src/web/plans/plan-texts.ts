import type { TFunction } from 'i18next'
import type { Appointment } from '../../contract/appointment.ts'
import type { LeftOutLesson, Plan, PlannedLesson } from '../../contract/plan.ts'
import { timeOf } from '../../domain/local-time.ts'
import type { Refusal } from '../../domain/refusal.ts'
import type { Warning } from '../../domain/warnings.ts'
import { ApiProblem } from '../data/send.ts'
import { whenText } from '../lessons/lesson-texts.ts'
import { refusalMessage } from '../lessons/refusal-messages.ts'
import { warningMessages } from '../lessons/warning-messages.ts'
import { problemMessage, refusalIn } from '../ui/problem-messages.ts'
import { nameOf, type School, studentName } from '../ui/school.tsx'

/** Returns the planned hours of each instructor, of those of the working hours if there are any. */
export function loadTexts({ figures }: Plan, { format }: School, t: TFunction): ReadonlyMap<string, string> {
  return new Map(
    figures.instructors.map(({ instructor_id, minutes, available_minutes }) => [
      instructor_id,
      available_minutes === null
        ? t('planning.hours', { planned: format.duration(minutes) })
        : t('planning.hoursOf', {
            planned: format.duration(minutes),
            of: format.duration(available_minutes),
          }),
    ]),
  )
}

/** Returns the name of a student; a word for one who is unknown here. */
export function whoIs(
  { student_id }: Pick<PlannedLesson, 'student_id'>,
  school: School,
  t: TFunction,
): string {
  const student = school.student.get(student_id)
  return student ? studentName(student, school) : t('planning.student')
}

/** Returns the student, the time and the instructor of a proposed lesson. */
export function ghostName(lesson: PlannedLesson | undefined, school: School, t: TFunction): string {
  if (!lesson) return t('planning.student')
  const instructor = school.instructor.get(lesson.instructor_id)
  return [
    whoIs(lesson, school, t),
    whenText(lesson, school),
    instructor && nameOf(instructor),
    school.lessonType.get(lesson.lesson_type_id)?.name,
  ]
    .filter(Boolean)
    .join(' · ')
}

/** Returns the time of a moved lesson, and its instructor if that is another one. */
export function placeText(to: PlannedLesson, from: PlannedLesson, school: School): string {
  const instructor = school.instructor.get(to.instructor_id)
  const isOther = to.instructor_id !== from.instructor_id
  return [whenText(to, school), isOther && instructor && nameOf(instructor)].filter(Boolean).join(' · ')
}

/** Returns the proposed lessons in the way of a missing one. */
export function inTheWayOf({ reason }: LeftOutLesson, { proposed }: Plan): readonly PlannedLesson[] {
  const { instead_of = [] } = reason.params as { readonly instead_of?: string | readonly string[] }
  const ids = [instead_of].flat()
  return proposed.filter(({ id }) => ids.includes(id))
}

/** Explains why a student is left out. */
export function reasonText(one: LeftOutLesson, plan: Plan, school: School, t: TFunction): string {
  const { code, params } = one.reason
  switch (code) {
    case 'taken':
    case 'several_in_the_way':
    case 'free_now': {
      const { start_at = '', instructor_id = '' } = params as Partial<PlannedLesson>
      const instructor = school.instructor.get(instructor_id)
      const others = inTheWayOf(one, plan).map((other) => whoIs(other, school, t))
      const values = {
        when: `${school.format.day(start_at.slice(0, 10))} ${timeOf(start_at)}`,
        instructor: instructor ? nameOf(instructor) : t('field.instructor'),
        others: others.join(', '),
      }
      return code === 'free_now' ? t('planning.reason.free_now', values) : t('planning.reason.taken', values)
    }
    case 'no_start': {
      const { refusals = [] } = params as { readonly refusals?: readonly Pick<Refusal, 'code'>[] }
      const causes = refusals.slice(0, 2).map((refusal) => t(`planning.cause.${refusal.code}`))
      return t('planning.reason.no_start', { causes: causes.join(', ') })
    }
    case 'enough_booked':
    case 'no_instructor':
    case 'no_window':
      return t(`planning.reason.${code}`)
  }
}

type PlanRefusal = Plan['broken'][number]['refusals'][number]

/** Explains a refusal of a proposed lesson. */
export function refusalText(refusal: PlanRefusal, { proposed }: Plan, school: School, t: TFunction): string {
  const about = { instructor_id: proposed[0]?.instructor_id ?? '', student_id: null, appointments: [] }
  if (refusal.code === 'too_far') return t('planning.cause.too_far')
  return refusalMessage(refusal as Refusal, about, school, t)
}

/** Explains why a lesson cannot be moved; undefined for another failure. */
export function refusedText(
  error: unknown,
  lesson: Pick<Appointment, 'instructor_id' | 'student_id'>,
  school: School,
  t: TFunction,
): string | undefined {
  if (error instanceof ApiProblem && error.is('too_far')) return t('planning.tooFar')
  const refusal = refusalIn(error)
  return refusal && refusalMessage(refusal, { ...lesson, appointments: [] }, school, t)
}

export function warningText(
  warning: PlannedLesson['warnings'][number],
  lesson: PlannedLesson,
  school: School,
  t: TFunction,
): string {
  if (warning.code === 'outside_wish') return t('planning.outsideWish')
  return warningMessages(warning as Warning, lesson, school, t)
}

/** Explains a failure of a plan. */
export function explainPlanning(error: unknown, t: TFunction): string {
  if (error instanceof ApiProblem) {
    if (error.is('plan_in_progress')) return t('planning.inProgress')
    if (error.is('plan_outdated') || error.is('plan_applied')) return t('failure.stale')
  }
  return problemMessage(error, t)
}
