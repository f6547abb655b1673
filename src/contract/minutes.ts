import { Type } from 'typebox'
import { EXCEEDED } from '../domain/minutes.ts'
import * as example from './examples-of-minutes.ts'
import * as field from './fields.ts'

const Minutes = Type.Integer({ minimum: 0 })
const OptionalMinutes = field.nullable(Type.Integer({ minimum: 1 }))
const OptionalUnits = field.nullable(Type.Integer({ minimum: 0 }))
const OptionalTime = field.nullable(field.LocalDateTime)

/** A month of the school's calendar, `YYYY-MM`, in the years 2000 to 2099. */
export const Month = Type.String({
  pattern: '^20[0-9]{2}-(0[1-9]|1[0-2])$',
  examples: ['2026-05'],
  description: 'The month, `YYYY-MM`.',
})

const counted = {
  planned_minutes: field.described(Minutes, 'The planned length of what counts in `total_minutes`.'),
  worked_minutes: field.described(Minutes, 'The minutes of completed lessons, each with its own length.'),
  practical_minutes: field.described(
    Minutes,
    'The minutes of completed lessons of types with `counts_toward_legal_minutes`, practical tests among them.',
  ),
  total_minutes: field.described(
    Minutes,
    'The minutes of completed lessons, and of past theory, seminars and internal work as planned. Overlapping times count once.',
  ),
}

const override = {
  appointment_id: field.described(field.Id, 'The lesson.'),
  rule: Type.Enum(['daily', 'weekly'], { description: 'The limit that it exceeded when it was booked.' }),
  actor: Type.Unsafe<{ kind: string; id: string | null; name: string } | null>({
    type: ['object', 'null'],
    additionalProperties: false,
    required: ['kind', 'id', 'name'],
    properties: {
      kind: { type: 'string', description: 'As in a change.' },
      id: { ...field.nullable(field.Id), description: 'As in a change.' },
      name: { type: 'string', description: "The person's name at that time, or the command's." },
    },
    description: 'The person or program that booked it; null if the log does not know it.',
  }),
  at: field.described(
    field.nullable(field.Timestamp),
    'When it was booked; null if the log does not know it.',
  ),
}

const day = {
  date: field.described(field.LocalDate, 'The day on which the appointments start.'),
  ...counted,
  break_minutes: field.described(Minutes, 'The breaks between them of at least 15 minutes each.'),
  longest_run_minutes: field.described(
    Minutes,
    'The longest time from a start to an end without such a break.',
  ),
  first_start_at: field.described(OptionalTime, 'When the first one began; null if nothing counts yet.'),
  last_end_at: field.described(OptionalTime, 'When the last one ended; null if nothing counts yet.'),
  limits: field.closed(
    {
      practical: field.described(
        OptionalMinutes,
        "The law's maximum of `practical_minutes`; null if it has none.",
      ),
      total: field.described(OptionalMinutes, "The law's maximum of `total_minutes`; null if it has none."),
      daily_units: field.described(OptionalUnits, 'The maximum units of the instructor on a day, as today.'),
      daily_override_units: field.described(OptionalUnits, 'The same in exceptional cases, as today.'),
    },
    { description: 'The limits of a day.' },
  ),
  exceeded: Type.Array(Type.Enum([...EXCEEDED]), {
    description:
      "The limits that the day exceeds: the law's daily minutes (`practical_daily`, `total_daily`), the school's limits with their override (`school_daily`; `school_weekly` on the last day worked in the ISO week), and of employees the breaks of the law (`break_missing`, `run_too_long`). A limit itself is not exceeded.",
  }),
  overrides: Type.Array(field.closed(override), {
    description:
      'The overrides of the lessons, with the actors who booked them. They stay if a limit is raised later.',
  }),
  open: field.described(Minutes, 'The number of past lessons and classes that are still planned.'),
  rows: Type.String({ description: 'The address of the appointments behind the minutes.' }),
}

export const InstructorMinutesSchema = field.closed(
  {
    instructor_id: field.described(field.Id, 'The instructor.'),
    name: Type.String({ description: 'First and last name.' }),
    number: field.described(
      field.nullable(Type.String()),
      'The number of the instructor in the school; null if there is none.',
    ),
    days: Type.Array(field.closed(day), {
      description: 'The days with something that counts or is open, by date.',
    }),
    sums: field.closed(
      { ...counted, days: field.described(Minutes, 'The number of days on which something counts.') },
      { description: 'The sums of the month.' },
    ),
  },
  {
    $id: 'InstructorMinutes',
    description: 'The minutes of an instructor in a month, day by day, planned beside worked.',
    examples: [example.instructorMinutes],
  },
)

export const MinutesRowSchema = field.closed(
  {
    appointment_id: field.described(field.Id, 'The appointment.'),
    student_id: field.described(
      field.nullable(field.Id),
      'The student; null for a group, and after an erasure.',
    ),
    lesson_type_id: field.described(field.Id, 'The lesson type.'),
    start_at: field.described(field.LocalDateTime, 'The actual start if known, or else the planned one.'),
    end_at: field.described(field.LocalDateTime, 'The actual end if known, or else the planned one.'),
    planned_minutes: field.described(Minutes, 'The planned length; 0 while it is open.'),
    minutes: field.described(Minutes, 'The elapsed minutes from start to end; 0 while it is open.'),
    is_worked: Type.Boolean({ description: 'Whether it counts in `worked_minutes`.' }),
    is_practical: Type.Boolean({ description: 'Whether it counts in `practical_minutes`.' }),
    is_open: Type.Boolean({ description: 'Whether it is past and still planned.' }),
  },
  {
    $id: 'MinutesRow',
    description: 'An appointment behind the minutes of a day.',
    examples: [example.minutesRow],
  },
)
