import { type Static, Type } from 'typebox'
import { BUSY_POLICIES } from '../domain/busy-policy.ts'
import { MAP_URL } from '../domain/map-link.ts'
import { DAY_PLAN_HOUR } from '../domain/message-times.ts'
import { ACTION_READERS, type MessageSettings } from '../domain/messages.ts'
import * as range from '../domain/ranges.ts'
import { CancellationPolicySchema, policyFaultsFor } from './cancellation.ts'
import { changedEnquirySettings, enquirySettings } from './enquiry.ts'
import * as example from './examples.ts'
import * as field from './fields.ts'
import { AvailabilityWindowSchema, NewAvailabilityWindows, windowFaultsFor } from './instructor.ts'
import type { Fault } from './problem.ts'
import { changedRecordSettings, recordFields, recordSettings } from './record-settings.ts'
import {
  changedStudentActions,
  changedStudentBooking,
  studentActions,
  studentBooking,
  studentsMayMove,
} from './student-actions.ts'

/** A language, optionally with a country: `de`, `fr-CH`. */
export const LOCALE = '^[a-z]{2,3}(-[A-Z]{2})?$'

const defaults = {
  default_max_daily_units: field.described(
    field.nullable(field.DailyUnits),
    'The `max_daily_units` of new instructors; null means no limit.',
  ),
  default_max_weekly_units: field.described(
    field.nullable(field.WeeklyUnits),
    'The `max_weekly_units` of new instructors; null means no limit.',
  ),
  default_required_break_minutes: field.described(
    field.BreakMinutes,
    'The `required_break_minutes` of new instructors.',
  ),
  default_max_continuous_minutes: field.described(
    field.nullable(field.ContinuousMinutes),
    'The `max_continuous_minutes` of new instructors; null means no limit.',
  ),
}

/** The fields that students see on their page. */
const studentPageFields = {
  map_url: field.nullable(
    Type.String({
      pattern: MAP_URL.source,
      maxLength: range.MAP_URL_LENGTH.max,
      examples: ['https://www.openstreetmap.org/search?query={place}'],
      description:
        'The address of a map for links to pick-up places: `https`, with `{place}` once after the host, which is replaced by the encoded place. Null for no links.',
    }),
  ),
  phone: field.described(
    field.nullable(field.Phone),
    "The school's phone number, which students see on their pages.",
  ),
  email: field.described(
    field.nullable(field.Email),
    "The school's e-mail address: students see it on their pages, and answers to the school's mails go there. Only ASCII characters before the `@`. Null for none.",
  ),
  office_email: field.described(
    field.nullable(field.Email),
    'The e-mail address of the office, which is told what students did on their pages, by `messages.student_actions`. Students do not see it. Null for none.',
  ),
  cancellation_terms: field.described(
    field.nullable(field.Notes),
    'The terms of cancelling a lesson, which students see on their pages.',
  ),
}

const offers = {
  hidden_license_classes: field.described(
    field.LicenseClasses,
    'The licence classes that forms do not offer; students and instructors keep theirs.',
  ),
}

/** The place for which sunset and sunrise are computed. */
const place = {
  latitude: field.nullable(
    Type.Number({
      minimum: -90,
      maximum: 90,
      description: 'The latitude in degrees, north positive. Null with `longitude`.',
    }),
  ),
  longitude: field.nullable(
    Type.Number({
      minimum: -180,
      maximum: 180,
      description: 'The longitude in degrees, east positive. Null with `latitude`.',
    }),
  ),
}

const closedDays = {
  region: field.nullable(
    Type.String({
      pattern: '^[A-Z]{2}-[A-Z0-9]{1,3}$',
      examples: ['DE-BY'],
      description: 'The region for public holidays, ISO 3166-2; null for national holidays only.',
    }),
  ),
  holidays: Type.Enum(['ignore', 'warn', 'refuse'], {
    description:
      'The effect of a public holiday on bookings: none, the warning `public_holiday`, or a refusal with that code.',
  }),
}

const busyCalendars = {
  busy_calendars: Type.Enum([...BUSY_POLICIES], {
    description:
      'The effect on bookings of a time in which the instructor is busy elsewhere, by a calendar of `/instructors/{id}/busy-calendars`: none, the warning `instructor_busy_elsewhere`, or a refusal with that code. Unless it is `ignore`, such times are not offered.',
  }),
}

const cancellations = {
  cancellation_policy: field.described(
    CancellationPolicySchema,
    'The notice of cancellations and the fee that is proposed where it was missed: the first step that fits the category of the lesson and whose notice was missed wins. An empty list: no cancellation is late.',
  ),
}

const Kind = (about: string) => Type.Boolean({ description: about })

const kinds = {
  booked: Kind('Whether students are told of new lessons.'),
  moved: Kind('Whether students are told of another time or instructor of a lesson.'),
  cancelled: Kind('Whether students are told of cancelled lessons, and if one takes place after all.'),
  reminder: Kind('Whether students are reminded of lessons, `reminder_hours` before them.'),
  offer: Kind('Whether offers of free times are sent to students.'),
  link: Kind('Whether a new link to the page of a student is sent to the student.'),
  day_plan: Kind(
    `Whether instructors get the plan of the next day, at ${DAY_PLAN_HOUR}:00 by the school's clock.`,
  ),
  availability: Kind(
    'Whether students are asked once a week when they can come in the next one, at the time of `availability_round`.',
  ),
}

const told = {
  student_actions: Type.Enum(Object.keys(ACTION_READERS) as (keyof typeof ACTION_READERS)[], {
    description:
      'The people who are told by mail what students did on their pages (cancelled, moved, confirmed, wished, took an offer): the instructor of the lesson, the office at `office_email`, both or nobody.',
  }),
}

const reminders = {
  reminder_hours: Type.Array(field.integer(range.REMINDER_HOURS), {
    maxItems: range.MAX_REMINDERS,
    uniqueItems: true,
    examples: [[24, 2]],
    description: 'The hours before a lesson at which its students are reminded.',
  }),
  quiet: field.nullable(
    field.closed(
      {
        from: field.described(field.TimeOfDay, 'The first minute without messages, `HH:MM`.'),
        to: field.described(field.TimeOfDay, 'The minute from which messages are sent again, `HH:MM`.'),
      },
      {
        description:
          "The quiet hours, in which messages wait, by the school's clock; they may span midnight. Null for none.",
      },
    ),
  ),
}

const ABOUT_MESSAGES = 'The kinds of messages that the school sends to students who agree to them, and when.'

const messages = {
  messages: Type.Unsafe<MessageSettings>(
    field.closed({ ...kinds, ...told, ...reminders }, { description: ABOUT_MESSAGES }),
  ),
}

const changedMessages = {
  messages: Type.Unsafe<Partial<MessageSettings>>(
    field.closed(field.optionals({ ...kinds, ...told, ...reminders }), {
      description: `${ABOUT_MESSAGES} Omitted settings keep their values.`,
    }),
  ),
}

const availabilityRound = {
  availability_round: field.nullable(
    field.closed(
      {
        weekday: Type.Integer({ minimum: 1, maximum: 7, description: 'The ISO weekday; Monday is 1.' }),
        time: field.described(field.TimeOfDay, "The time of day, `HH:MM` by the school's clock."),
      },
      {
        description:
          'When students are asked by message when they can come in the week after, with a link to their page. It needs `messages.availability` and `student_actions.wish`. Null for never.',
        examples: [{ weekday: 4, time: '17:00' }],
      },
    ),
  ),
}

const instructorsMay = {
  instructors_may: Type.Enum(['nothing', 'own_students', 'any_student'], {
    description:
      'Which lessons of their own instructors may book, move and cancel: none; those with students whom they teach or who prefer them; or those with any student.',
  }),
}

const secondFactor = {
  second_factor: Type.Enum(['optional', 'required'], {
    description:
      'Whether users may do without a second factor. If it is `required`, a user without one can log in, but only set one up: everything else is 403 `second_factor_setup_required`.',
  }),
}

/** A driving school, with the defaults of new instructors. */
export const TenantSchema = field.resource(
  {
    name: field.described(field.Name, "The school's name."),
    timezone: Type.String({ description: 'The IANA zone of the wall clock.', examples: ['Europe/Berlin'] }),
    locale: Type.String({ description: 'The language of lesson types and templates.', examples: ['de'] }),
    country: Type.String({
      examples: ['DE'],
      description: 'The country by ISO 3166-1, whose pack the school was created with; it cannot be changed.',
    }),
    unit_minutes: Type.Integer({
      description: 'The length of a unit in minutes; all limits and requirements are in units.',
    }),
    ...defaults,
    default_availability_windows: Type.Array(field.ref(AvailabilityWindowSchema), {
      description: 'The working hours of new instructors.',
    }),
    ...studentPageFields,
    ...offers,
    ...place,
    ...closedDays,
    ...busyCalendars,
    ...cancellations,
    ...instructorsMay,
    ...secondFactor,
    ...messages,
    ...availabilityRound,
    ...studentActions,
    ...studentsMayMove,
    ...studentBooking,
    ...enquirySettings,
    ...recordFields,
    ...recordSettings,
    version: field.Version,
  },
  {
    $id: 'Tenant',
    description: 'A driving school, with the defaults of new instructors.',
    examples: [example.tenant],
  },
)
export type Tenant = Static<typeof TenantSchema>

export const TenantChangeSchema = field.closed(
  field.optionals({
    name: field.described(field.Name, "The school's name."),
    timezone: Type.String({
      maxLength: 64,
      examples: ['Europe/Berlin'],
      description:
        'The IANA zone of the wall clock. Changing it corrects a wrong one and needs a recent proof: all wall-clock times stay as they are.',
    }),
    locale: Type.String({
      pattern: LOCALE,
      examples: ['de'],
      description: 'The language of lesson types and templates, such as `de` or `fr-CH`.',
    }),
    ...defaults,
    default_availability_windows: field.described(
      NewAvailabilityWindows,
      'The working hours of new instructors; the list is replaced whole.',
    ),
    ...studentPageFields,
    ...offers,
    ...place,
    ...closedDays,
    ...busyCalendars,
    ...cancellations,
    ...instructorsMay,
    ...secondFactor,
    ...changedMessages,
    ...availabilityRound,
    ...changedStudentActions,
    ...studentsMayMove,
    ...changedStudentBooking,
    ...changedEnquirySettings,
    ...recordFields,
    ...changedRecordSettings,
  }),
  {
    $id: 'TenantChange',
    description:
      "Defaults apply to instructors who are added later. Lists are replaced as a whole. `phone` and `cancellation_terms` are shown on students' pages. `latitude` and `longitude` are those of the time zone's city until they are changed, also after a new time zone; without them no lesson is `not_dark`.",
    examples: [{ default_max_daily_units: 10 }],
  },
)
export type TenantChange = Static<typeof TenantChangeSchema>

/** Returns the faults of default windows, an incomplete place, and the cancellation policy. */
export function tenantFaultsFor(change: TenantChange): readonly Fault[] {
  const { default_availability_windows = [], cancellation_policy = [], latitude, longitude } = change
  const isWhole = latitude === null ? longitude === null : typeof latitude === typeof longitude
  return [
    ...windowFaultsFor('/default_availability_windows', default_availability_windows),
    ...(isWhole ? [] : [HALF_A_PLACE]),
    ...policyFaultsFor('/cancellation_policy', cancellation_policy),
    ...(contradictsItself(change) ? [CONTRADICTION] : []),
    ...(change.email && !ASCII_LOCAL_PART.test(change.email) ? [UNANSWERABLE] : []),
  ]
}

/** Others may stand only in mails to servers that know them (RFC 6532). Any domain can be written in ASCII. */
const ASCII_LOCAL_PART = /^[ -~]*@/

const UNANSWERABLE: Fault = {
  pointer: '/email',
  code: 'invalid_format',
  detail:
    'email must have only ASCII letters, digits and signs before the @, because answers to mails go there.',
}

function contradictsItself({ students_may_move: mayMove, student_booking }: TenantChange): boolean {
  const mode = student_booking?.mode
  return mayMove !== undefined && mode !== undefined && mayMove !== (mode !== 'off')
}

const CONTRADICTION: Fault = {
  pointer: '/students_may_move',
  code: 'not_allowed',
  detail: 'students_may_move must be true unless student_booking.mode is off, and then false.',
}

const HALF_A_PLACE: Fault = {
  pointer: '/longitude',
  code: 'required',
  detail: 'latitude and longitude are both given, or both null.',
}
