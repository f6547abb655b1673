import type { Appointment } from '../../contract/appointment.ts'
import type { Agenda, CountedAppointment, Proposal, UnitLimits } from '../../domain/agenda.ts'
import { overridesUsedBy, refusalFor } from '../../domain/booking.ts'
import { intervalOf, minutesOf, overlaps } from '../../domain/interval.ts'
import { isLocalDateTime, type LocalDate, MINUTES_PER_DAY, minuteOf } from '../../domain/local-time.ts'
import type { Refusal } from '../../domain/refusal.ts'
import { isSkipped } from '../../domain/time-zone.ts'
import { countedMinutesIn, DAILY, type OverrideUsed, type Period, WEEKLY } from '../../domain/unit-limits.ts'
import { unitsOf } from '../../domain/units.ts'
import { dateOf } from '../i18n/format.ts'
import type { School } from '../ui/school.tsx'

/** A lesson as it shall be; with the id of the one that is changed. */
export type Draft = Pick<
  Appointment,
  'instructor_id' | 'student_id' | 'lesson_type_id' | 'start_at' | 'end_at'
> & { readonly id?: string }

/** Units of a day or week, the draft's included; `limit` is the normal one, `ceiling` the override's. */
export type Load = { readonly units: number; readonly limit: number | null; readonly ceiling: number | null }

/** What a draft lacks before any rule can be asked. */
export type Gap = 'instructor' | 'type' | 'time' | 'order' | 'long' | 'skipped'

export type Verdict = {
  readonly refusal: Refusal | undefined
  readonly overrides: readonly OverrideUsed[]
  readonly counts: boolean
  readonly day: Load
  readonly week: Load
}

const LONGEST_MINUTES = MINUTES_PER_DAY

export function gapOf(draft: Draft, { instructor, lessonType, tenant }: School): Gap | undefined {
  const { start_at, end_at } = draft
  if (!instructor.has(draft.instructor_id)) return 'instructor'
  if (!lessonType.has(draft.lesson_type_id)) return 'type'
  if (!isLocalDateTime(start_at) || !isLocalDateTime(end_at)) return 'time'
  if (end_at <= start_at) return 'order'
  if (minutesOf(intervalOf(draft)) > LONGEST_MINUTES) return 'long'
  const isMissing = isSkipped(start_at, tenant.timezone) || isSkipped(end_at, tenant.timezone)
  return isMissing ? 'skipped' : undefined
}

/**
 * What the rules say of a draft without gaps, before the service is asked. `appointments` are those of its week. Nothing if
 * the instructor is unknown here.
 */
export function verdictFor(
  draft: Draft,
  appointments: readonly Appointment[],
  school: School,
): Verdict | undefined {
  const instructor = school.instructor.get(draft.instructor_id)
  if (!instructor) return undefined
  const counts = countsTowardLimits(draft, school)
  const proposal: Proposal = { ...draft, counts_toward_limits: counts }
  const booked = appointments.filter(({ id, status }) => id !== draft.id && status !== 'cancelled')
  const agenda: Agenda = {
    unit_minutes: school.tenant.unit_minutes,
    instructor,
    instructor_appointments: counted(
      booked.filter(({ instructor_id }) => instructor_id === instructor.id),
      school,
    ),
    student_appointments: counted(
      booked.filter(
        ({ student_id, ...lesson }) =>
          draft.student_id !== null &&
          student_id === draft.student_id &&
          overlaps(intervalOf(lesson), intervalOf(draft)),
      ),
      school,
    ),
  }
  const refusal = refusalFor(proposal, agenda)
  const all = [...agenda.instructor_appointments, proposal]
  const date = dateOf(draft.start_at)
  const unitMinutes = school.tenant.unit_minutes
  return {
    refusal,
    overrides: refusal ? [] : overridesUsedBy(proposal, agenda),
    counts,
    day: loadIn(DAILY, date, all, instructor, unitMinutes),
    week: loadIn(WEEKLY, date, all, instructor, unitMinutes),
  }
}

/** The units of a date's day or ISO week beside the limit; `appointments` are the instructor's. */
export function loadIn(
  period: Period,
  date: LocalDate,
  appointments: readonly Proposal[],
  instructor: UnitLimits,
  unitMinutes: number,
): Load {
  const timed = appointments.map((source) => ({ ...intervalOf(source), source }))
  const minutes = countedMinutesIn(period, minuteOf(`${date} 00:00`), timed)
  return {
    units: unitsOf(minutes, unitMinutes),
    limit: instructor[period.limit],
    ceiling: instructor[period.override],
  }
}

/** The appointments as the rules want them. */
export function counted(appointments: readonly Appointment[], school: School): readonly CountedAppointment[] {
  return appointments
    .filter(({ status }) => status !== 'cancelled')
    .map((lesson) => ({
      id: lesson.id,
      start_at: lesson.start_at,
      end_at: lesson.end_at,
      counts_toward_limits: countsTowardLimits(lesson, school),
    }))
}

function countsTowardLimits({ lesson_type_id }: Pick<Draft, 'lesson_type_id'>, { lessonType }: School) {
  return lessonType.get(lesson_type_id)?.counts_toward_limits ?? true
}
