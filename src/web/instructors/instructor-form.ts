import type { Bootstrap } from '../../contract/bootstrap.ts'
import type { Instructor, InstructorChange } from '../../contract/instructor.ts'
import type { AvailabilityWindow, Vacation } from '../../domain/agenda.ts'
import { nextInstructorColor } from '../../domain/instructor-colors.ts'
import { defaultRulesFor } from '../../domain/instructor-defaults.ts'
import { isLocalDate } from '../../domain/local-time.ts'
import { offeredClasses } from '../ui/offered-classes.ts'

/** The fields of the dialog; an empty text or number is none. */
export type InstructorForm = {
  readonly first_name: string
  readonly last_name: string
  readonly email: string
  readonly phone: string
  readonly phone_2: string
  readonly color: string
  readonly license_classes: readonly string[]
  readonly active: boolean
  readonly max_daily_units: number | ''
  readonly max_daily_override: number | ''
  readonly max_weekly_units: number | ''
  readonly max_weekly_override: number | ''
  readonly required_break_minutes: number | ''
  readonly max_continuous_minutes: number | ''
  readonly availability_windows: readonly AvailabilityWindow[]
  readonly vacations: readonly Vacation[]
}

/** Returns the form of the instructor, or of a new one with the school's defaults and a colour that few others have. */
export function instructorFormOf(
  instructor: Instructor | undefined,
  school: Pick<Bootstrap, 'tenant' | 'instructors' | 'templates'>,
): InstructorForm {
  const { tenant, instructors } = school
  const rules = instructor ?? defaultRulesFor(tenant)
  return {
    first_name: instructor?.first_name ?? '',
    last_name: instructor?.last_name ?? '',
    email: instructor?.email ?? '',
    phone: instructor?.phone ?? '',
    phone_2: instructor?.phone_2 ?? '',
    color: instructor?.color ?? nextInstructorColor(instructors),
    license_classes: instructor?.license_classes ?? offeredClasses(school).filter((one) => one === 'B'),
    active: instructor?.active ?? true,
    max_daily_units: rules.max_daily_units ?? '',
    max_daily_override: rules.max_daily_override ?? '',
    max_weekly_units: rules.max_weekly_units ?? '',
    max_weekly_override: rules.max_weekly_override ?? '',
    required_break_minutes: rules.required_break_minutes,
    max_continuous_minutes: rules.max_continuous_minutes ?? '',
    availability_windows: rules.availability_windows,
    vacations: instructor?.vacations ?? [],
  }
}

/** Returns the request body of the form: texts trimmed, empty ones null. */
export function instructorOf(form: InstructorForm) {
  return {
    ...form,
    email: form.email.trim() || null,
    phone: form.phone.trim() || null,
    phone_2: form.phone_2.trim() || null,
    license_classes: [...form.license_classes],
    max_daily_units: orNone(form.max_daily_units),
    max_daily_override: orNone(form.max_daily_override),
    max_weekly_units: orNone(form.max_weekly_units),
    max_weekly_override: orNone(form.max_weekly_override),
    required_break_minutes: Number(form.required_break_minutes),
    max_continuous_minutes: orNone(form.max_continuous_minutes),
    availability_windows: [...form.availability_windows],
    vacations: form.vacations.map((vacation) => ({ ...vacation, note: vacation.note?.trim() || null })),
  } satisfies InstructorChange
}

/** Returns the fields of the form that the rules need. */
export function rulesOf(form: InstructorForm) {
  const {
    first_name: _,
    last_name: __,
    email: ___,
    phone: ____,
    phone_2: _____,
    ...rest
  } = instructorOf(form)
  const { color: ______, license_classes: _______, ...rules } = rest
  return rules satisfies InstructorChange
}

/** Whether the rules can be asked: every window and vacation begins before it ends. */
export function isAskable({ availability_windows, vacations }: InstructorForm): boolean {
  return (
    availability_windows.every(({ start, end }) => start !== '' && start < end) &&
    vacations.every(
      ({ start_date, end_date }) =>
        isLocalDate(start_date) && isLocalDate(end_date) && start_date <= end_date,
    )
  )
}

function orNone(value: number | ''): number | null {
  return value === '' ? null : value
}
