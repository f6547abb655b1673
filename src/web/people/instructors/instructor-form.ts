import type { Bootstrap } from '../../../contract/bootstrap.ts'
import type { Instructor, InstructorChange } from '../../../contract/instructor.ts'
import type { AvailabilityWindow, Vacation } from '../../../domain/agenda.ts'
import { blankOf, namesOf } from '../../../domain/fields.ts'
import { nextInstructorColor } from '../../../domain/instructor-colors.ts'
import { defaultRulesFor } from '../../../domain/instructor-defaults.ts'
import { INSTRUCTOR_FIELDS } from '../../../domain/instructor-fields.ts'
import { isLocalDate } from '../../../domain/local-time.ts'
import { PERSON_FIELDS } from '../../../domain/person-fields.ts'
import { type AbsenceEntry, absenceEntryOf, absenceOf, isWholeAbsence } from '../../ui/absence-entries.ts'
import { type FormValues, formValuesOf, wireValuesOf } from '../../ui/form-values.ts'
import { offeredClasses } from '../../ui/offered-classes.ts'

type Described = Pick<Instructor, keyof typeof INSTRUCTOR_FIELDS>

export type InstructorForm = FormValues<Described> & {
  readonly availability_windows: readonly AvailabilityWindow[]
  readonly vacations: readonly Vacation[]
  readonly absences: readonly AbsenceEntry[]
}

/** Returns the form of the instructor, or of a new one with the school's defaults and the least used colour. */
export function instructorFormOf(
  instructor: Instructor | undefined,
  school: Pick<Bootstrap, 'tenant' | 'instructors' | 'templates'>,
): InstructorForm {
  const { availability_windows, vacations, absences, ...described } = instructor ?? newInstructor(school)
  return {
    ...formValuesOf(INSTRUCTOR_FIELDS, described),
    availability_windows,
    vacations,
    absences: absences.map(absenceEntryOf),
  }
}

function newInstructor(school: Pick<Bootstrap, 'tenant' | 'instructors' | 'templates'>) {
  return {
    ...blankOf(INSTRUCTOR_FIELDS),
    ...defaultRulesFor(school.tenant),
    first_name: '',
    last_name: '',
    color: nextInstructorColor(school.instructors),
    license_classes: offeredClasses(school).filter((one) => one === 'B'),
    active: true,
    employment: 'employee' as const,
    is_trainee: false,
    vacations: [],
    absences: [],
  }
}

/** Returns the request body of the form: texts trimmed, empty ones null. */
export function instructorOf(form: InstructorForm) {
  return {
    ...form,
    ...wireValuesOf(INSTRUCTOR_FIELDS, form),
    license_classes: [...form.license_classes],
    required_break_minutes: Number(form.required_break_minutes),
    availability_windows: form.availability_windows.map(windowOf),
    vacations: form.vacations.map((vacation) => ({ ...vacation, note: vacation.note?.trim() || null })),
    absences: form.absences.map(absenceOf),
  } satisfies Required<InstructorChange>
}

/** Returns hours as the service lists them: with dates only if one is set, and weeks only if they do not hold in all. */
function windowOf({ weekday, start, end, valid_from, valid_to, every_weeks = 1 }: AvailabilityWindow) {
  const dates = { valid_from: valid_from || null, valid_to: valid_to || null }
  const turn = every_weeks > 1 && { every_weeks }
  return { weekday, start, end, ...((valid_from || valid_to) && dates), ...turn }
}

const UNCHECKED_FIELDS: ReadonlySet<string> = new Set([
  ...namesOf(PERSON_FIELDS),
  'color',
  'license_classes',
  'number',
  'employment',
  'is_trainee',
  'usual_vehicle_id',
  'location_id',
])

export function rulesOf(form: InstructorForm): InstructorChange {
  return Object.fromEntries(
    Object.entries(instructorOf(form)).filter(([name]) => !UNCHECKED_FIELDS.has(name)),
  )
}

/** Whether the rules can be checked: every window, vacation and absence begins before it ends. */
export function canCheckImpact({ availability_windows, vacations, absences }: InstructorForm): boolean {
  return (
    availability_windows.every(isCompleteWindow) &&
    absences.every(isWholeAbsence) &&
    vacations.every(
      ({ start_date, end_date }) =>
        isLocalDate(start_date) && isLocalDate(end_date) && start_date <= end_date,
    )
  )
}

function isCompleteWindow({ start, end, valid_from, valid_to, every_weeks }: AvailabilityWindow): boolean {
  if ((every_weeks ?? 1) > 1 && !valid_from) return false
  return start !== '' && start < end && !(valid_from && valid_to && valid_to < valid_from)
}
