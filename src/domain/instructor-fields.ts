import type { FieldList } from './fields.ts'
import { PERSON_FIELDS } from './person-fields.ts'

/** The fields of an instructor, except working hours and vacations, which have tables of their own. */
export const INSTRUCTOR_FIELDS = {
  ...PERSON_FIELDS,
  color: { kind: 'color', about: 'The colour in the calendar, `#RRGGBB`.' },
  license_classes: { kind: 'classes', about: 'The licence classes that the instructor teaches.' },
  active: {
    kind: 'flag',
    about: 'Whether lessons can be booked; `false` for an instructor who has left.',
  },
  number: {
    kind: 'number',
    isNullable: true,
    about: 'The number of the instructor in the school, as printed on records; at most 20 characters.',
  },
  employment: {
    kind: 'employment',
    about:
      'Whether the instructor is an `employee`, the default, or an `owner`, to whom the law on breaks does not apply.',
  },
  is_trainee: {
    kind: 'flag',
    about:
      'Whether the instructor is still in training: the law does not count some of their lessons, such as the check drive for B197.',
  },
  max_daily_units: {
    kind: 'daily_units',
    isNullable: true,
    about: 'The maximum units on one day; null means no limit.',
  },
  max_daily_override: {
    kind: 'daily_units',
    isNullable: true,
    about:
      'The maximum units on a day in exceptional cases, above `max_daily_units`; null means no exception.',
  },
  max_weekly_units: {
    kind: 'weekly_units',
    isNullable: true,
    about: 'The maximum units in one ISO week; null means no limit.',
  },
  max_weekly_override: {
    kind: 'weekly_units',
    isNullable: true,
    about:
      'The maximum units in an ISO week in exceptional cases, above `max_weekly_units`; null means no exception.',
  },
  required_break_minutes: {
    kind: 'break_minutes',
    about: 'The minimum minutes between two appointments; 0 means none.',
  },
  usual_vehicle_id: {
    kind: 'id',
    isNullable: true,
    about: 'The vehicle that booking proposes; null if there is none.',
  },
  location_id: {
    kind: 'id',
    isNullable: true,
    about: 'The location from which the instructor works; null if there is none.',
  },
  max_continuous_minutes: {
    kind: 'continuous_minutes',
    isNullable: true,
    about: 'The maximum minutes of work without a break; null means no limit.',
  },
} as const satisfies FieldList
