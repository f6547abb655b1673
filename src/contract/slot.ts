import { type Static, Type } from 'typebox'
import * as example from './examples.ts'
import * as field from './fields.ts'

export const OverridesUsedSchema = Type.Array(Type.Enum(['daily', 'weekly']), {
  description: 'The unit limits that the appointment exceeds, as their overrides allow.',
})

/** The codes of warnings, in the order in which they are listed. */
const WARNINGS = [
  'in_the_past',
  'far_ahead',
  'no_student',
  'class_not_taught',
  'not_required',
  'requirement_already_met',
  'not_dark',
  'public_holiday',
  'vehicle_not_fitting',
  'too_far',
] as const

/** A fact to know before booking. It breaks no rule. */
export const WarningSchema = field.closed(
  {
    code: Type.Enum([...WARNINGS], {
      description: `\`in_the_past\`: it starts before now, \`params.now\`.
\`far_ahead\`: it starts more than nine months after now, \`params.now\`.
\`no_student\`: a lesson of type \`params.lesson_type_id\` needs a student, and this one has none.
\`class_not_taught\`: \`params.license_class\`, the class of the student's template, is not among the instructor's,
\`params.license_classes\`.
\`not_required\`: the student's template, \`params.license_class_template_id\`, does not require the lesson type,
\`params.lesson_type_id\`, whose category is not \`practical\`.
\`requirement_already_met\`: without this lesson \`params.done_units\` and \`params.planned_units\` of
\`params.lesson_type_id\` reach \`params.required_units\`, and include the long lesson if the class requires one.
\`not_dark\`: \`params.lesson_type_id\` takes place between sunset and sunrise only, and part of this lesson does not. The
night is from \`params.dark_from\` to \`params.dark_until\`; both are null where the sun does not set.
\`public_holiday\`: \`params.date\` is the public holiday \`params.name\`, and the school's \`holidays\` are \`warn\`.
\`vehicle_not_fitting\`: \`params.license_class\`, the class of the student's template, is not among those of the vehicle
\`params.vehicle_id\`, \`params.license_classes\`.
\`too_far\`: the journey to or from the instructor's neighbouring lesson takes \`params.minutes_needed\`, and only
\`params.minutes_free\` are free. The other lesson is \`params.appointment_id\`, at \`params.location_id\`.`,
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
      description: 'The free vehicles: those of the search, or the one chosen for `vehicle=any`.',
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
