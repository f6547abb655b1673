import type { TFunction } from 'i18next'
import type { Appointment } from '../../contract/appointment.ts'
import { absenceTimesFor } from '../../domain/absence-period.ts'
import { ApiProblem } from '../data/send.ts'
import { lessonText, studentNameOf, whenText } from '../lessons/lesson-texts.ts'
import { refusalMessage } from '../lessons/refusal-messages.ts'
import { absenceText } from '../ui/absence-text.ts'
import { problemMessage, refusalIn } from '../ui/problem-messages.ts'
import { nameOf, type School } from '../ui/school.tsx'
import type { AbsenceCause } from './causes.ts'
import { type AbsenceForm, type DecidedLesson, type Decisions, periodOf } from './draft.ts'

/** Returns the days of an absence, with its times unless the days are whole. */
export function datesText(
  { start_date, end_date, start_time, end_time }: AbsenceForm,
  { format }: Pick<School, 'format'>,
): string {
  const days = start_date === end_date ? format.dayInText(start_date) : format.days(start_date, end_date)
  return start_time || end_time ? `${days}, ${start_time ?? '00:00'}–${end_time ?? '24:00'}` : days
}

/** Returns the stored vacations and absences of the instructor or vehicle that overlap the days. */
export function recordedTexts(
  { kind, instructor, vehicle }: AbsenceCause,
  period: AbsenceForm,
  { format }: Pick<School, 'format'>,
): readonly string[] {
  const absence = periodOf(period)
  if (!absence || (kind !== 'instructor' && kind !== 'vehicle')) return []
  const { vacations = [] } = instructor ?? {}
  const { absences = [] } = instructor ?? vehicle ?? {}
  const { start_date, end_date } = absence
  const times = absenceTimesFor(absence)
  const days = vacations.filter((one) => one.start_date <= end_date && start_date <= one.end_date)
  const hours = absences.filter((one) => one.start_at < times.end_at && times.start_at < one.end_at)
  return [
    ...days.map((one) => [format.days(one.start_date, one.end_date), one.note].filter(Boolean).join(' ')),
    ...hours.map((one) => absenceText(one, format)),
  ]
}

/** The reasons why nothing was stored, and the ids of the lessons concerned. */
export type FailureText = { readonly ids: readonly string[]; readonly texts: readonly string[] }

export type AbsenceAttempt = {
  readonly decisions: Decisions
  /** The lessons before and after the attempt. */
  readonly lessons: readonly Appointment[]
}

/** Explains why an absence was not stored and names the lessons concerned. */
export function failureFor(
  error: unknown,
  { decisions, lessons }: AbsenceAttempt,
  school: School,
  t: TFunction,
): FailureText {
  const params = error instanceof ApiProblem ? (error.body.params ?? {}) : {}
  const named = (key: 'lessonChanged' | 'lessonAdded' | 'lessonGone', id: string) => {
    const lesson = lessons.findLast((one) => one.id === id)
    return t(`absencePage.${key}`, { what: lesson ? lessonText(lesson, school, t) : t('lesson.one') })
  }
  if (error instanceof ApiProblem && error.is('plan_outdated')) {
    const [added, gone] = [idsIn(params.undecided_ids), idsIn(params.not_hit_ids)]
    const texts = [
      ...added.map((id) => named('lessonAdded', id)),
      ...gone.map((id) => named('lessonGone', id)),
    ]
    return { ids: added, texts }
  }
  const [id] = idsIn([params.decision_appointment_id])
  const refusal = refusalIn(error)
  const lesson = lessons.findLast((one) => one.id === id)
  if (id !== undefined && lesson && refusal) {
    const place = { ...lesson, ...decisions[id] }
    const why = refusalMessage(refusal, { ...place, appointments: lessons }, school, t)
    return {
      ids: [id],
      texts: [t('absencePage.lessonRefused', { what: lessonText(lesson, school, t), why })],
    }
  }
  if (id !== undefined && error instanceof ApiProblem && error.is('stale'))
    return { ids: [id], texts: [named('lessonChanged', id)] }
  return { ids: [], texts: [problemMessage(error, t)] }
}

function idsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}

/** Returns the names of vehicles. */
export function vehiclesText(ids: readonly string[] = [], { vehicles }: Pick<School, 'vehicles'>): string {
  return ids.map((id) => vehicles.find((one) => one.id === id)?.name ?? '–').join(', ')
}

/** Returns the result of a decision on a lesson. */
export function resultText({ lesson, decision }: DecidedLesson, school: School, t: TFunction): string {
  const { action, instructor_id, start_at, end_at } = decision
  const other =
    instructor_id === lesson.instructor_id ? undefined : school.instructor.get(instructor_id ?? '')
  const name = other ? nameOf(other) : vehiclesText(decision.vehicle_ids, school)
  if (action !== 'move' || !start_at || !end_at) return t(`absencePage.result.${action}`, { name, when: '' })
  const when = whenText({ start_at, end_at }, school)
  return other ? t('absencePage.result.moveTo', { when, name }) : t('absencePage.result.move', { when })
}

/** Returns the names of a lesson's students, or its title if it has none. */
export function studentNamesFor(
  lesson: Pick<Appointment, 'student_id' | 'attendees' | 'lesson_type_id' | 'title'>,
  school: School,
  t: TFunction,
): string {
  if (lesson.attendees.length === 0) return studentNameOf(lesson, school, t)
  return lesson.attendees
    .map(({ student_id }) => studentNameOf({ ...lesson, student_id }, school, t))
    .join(', ')
}
