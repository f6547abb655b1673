import { type Static, Type } from 'typebox'
import * as example from './examples.ts'
import * as field from './fields.ts'

export const OverridesUsedSchema = Type.Array(Type.Enum(['daily', 'weekly']), {
  description: 'The unit limits that the appointment exceeds, as their overrides allow.',
})

/** The codes of warnings, in the order in which they are listed. */
export const WARNINGS = [
  'in_the_past',
  'far_ahead',
  'no_student',
  'no_enrolment',
  'outside_enrolment',
  'class_not_taught',
  'not_required',
  'requirement_already_met',
  'already_passed',
  'paper_missing',
  'test_expired',
  'approval_expired',
  'too_early',
  'retry_too_early',
  'training_outdated',
  'not_dark',
  'public_holiday',
  'vehicle_not_fitting',
  'vehicle_missing',
  'too_far',
  'instructor_busy_elsewhere',
  'signed',
] as const

/** A fact to know before booking. It breaks no rule. */
export const WarningSchema = field.closed(
  {
    code: Type.Enum([...WARNINGS], {
      description: `\`in_the_past\`: it starts before now, \`params.now\`.
\`far_ahead\`: it starts more than nine months after now, \`params.now\`.
\`no_student\`: a lesson of type \`params.lesson_type_id\` needs a student, and this one has none.
\`no_enrolment\`: the lesson counts toward no enrolment of its student.
\`outside_enrolment\`: it is not from \`params.begins_on\` to \`params.ends_on\`, the days of \`params.enrolment_id\`; an enrolment
that is open has no end, null.
\`class_not_taught\`: \`params.license_class\`, the class of the student's template, is not among the instructor's,
\`params.license_classes\`.
\`not_required\`: the student's template, \`params.license_class_template_id\`, does not require the lesson type,
\`params.lesson_type_id\`; its category is not \`practical\` and it is not an exam.
\`requirement_already_met\`: without this lesson \`params.done_units\` and \`params.planned_units\` of
\`params.lesson_type_id\` reach \`params.required_units\`, and include the long lesson if the class requires one.
\`already_passed\`: the student has passed an exam of type \`params.lesson_type_id\` on \`params.date\`.
\`paper_missing\`: the exam needs \`params.kinds\`, ticks of the current enrolment that are missing, or expired on its day. It
is given once any tick of the enrolment has been entered.
\`test_expired\`: the theory test, which the practical test needs, is valid until \`params.valid_until\`.
\`approval_expired\`: the approval, which the exam needs, is valid until \`params.valid_until\`.
\`too_early\`: for the age of the student the exam is possible from \`params.earliest_date\` on: the minimum age of the class
less the months by which the country's law allows the test before it.
\`retry_too_early\`: the last attempt was failed, and the next one is possible from \`params.earliest_date\` on.
\`training_outdated\`: the theory, for a theory test, or the practice, for another exam, ended on \`params.ended_on\`, which
counts until \`params.valid_until\`.
\`not_dark\`: \`params.lesson_type_id\` takes place between sunset and sunrise only, and part of this lesson does not. The
night is from \`params.dark_from\` to \`params.dark_until\`; both are null where the sun does not set.
\`public_holiday\`: \`params.date\` is the public holiday \`params.name\`, and the school's \`holidays\` are \`warn\`.
\`vehicle_not_fitting\`: \`params.license_class\`, the class of the student's template, is not among those of the vehicle
\`params.vehicle_id\`, \`params.license_classes\`.
\`vehicle_missing\`: \`params.license_class\`, the class of the student's template, needs a vehicle of the kind \`params.kind\`,
which is \`trailer\`, and the lesson has none.
\`too_far\`: the journey to or from the instructor's neighbouring lesson takes \`params.minutes_needed\`, and only
\`params.minutes_free\` are free. The other lesson is \`params.appointment_id\`, at \`params.location_id\`.
\`signed\`: the lesson was signed by \`params.as\`, and the change makes these signatures outdated.`,
    }),
    params: Type.Record(Type.String(), Type.Unknown(), {
      description: 'The numbers and names for the code.',
    }),
  },
  {
    $id: 'Warning',
    description: 'A fact to consider before booking. It breaks no rule.',
    examples: [example.warning],
  },
)

export const SlotSchema = field.closed(
  {
    instructor_id: field.described(field.Id, 'The instructor who is free.'),
    start_at: field.described(
      field.LocalDateTime,
      "The start on the school's wall clock, `YYYY-MM-DD HH:MM`.",
    ),
    end_at: field.described(field.LocalDateTime, "The end on the school's wall clock, `YYYY-MM-DD HH:MM`."),
    vehicle_ids: Type.Array(field.Id, {
      description:
        "The free vehicles to book: those of the search, the one chosen for `vehicle=any`, or the usual ones of the instructor for `vehicle=usual`. In alternatives those of the lesson; with another instructor, that one's usual vehicle in place of the former.",
    }),
    overrides_used: OverridesUsedSchema,
    is_preferred: Type.Boolean({ description: 'Whether the student prefers the instructor.' }),
    minutes_free_before: Type.Integer({
      description:
        "The minutes since the instructor's previous appointment or the start of the availability window, whichever is nearer; without windows, since midnight.",
    }),
    minutes_free_after: Type.Integer({
      description:
        "The minutes until the instructor's next appointment or the end of the availability window, whichever is nearer; without windows, until midnight.",
    }),
    warnings: Type.Array(field.ref(WarningSchema), {
      description: 'Warnings to show before booking; none of them prevents it.',
    }),
  },
  { $id: 'Slot', description: 'A time that the rules accept.', examples: [example.slot] },
)
export type Slot = Static<typeof SlotSchema>
