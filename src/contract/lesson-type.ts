import { type Static, Type } from 'typebox'
import { APPOINTMENT_MINUTES, POSITION } from '../domain/ranges.ts'
import * as example from './examples.ts'
import * as field from './fields.ts'

/** The fields of a lesson type that a school may change. */
const changeable = {
  name: field.described(field.Name, "The name in the school's language, or the school's own."),
  hidden: Type.Boolean({
    description: 'Whether forms and searches omit the type. Existing lessons keep it, and it still counts.',
  }),
  position: Type.Integer({
    minimum: POSITION.min,
    maximum: POSITION.max,
    description:
      'The position in the list. If the position is taken, the types between it and the former position move by one.',
  }),
  color: field.described(field.Color, 'The colour in the calendar, `#RRGGBB`.'),
  default_minutes: field.described(field.integer(APPOINTMENT_MINUTES), 'The usual length in minutes.'),
  seats: field.described(
    field.Seats,
    'How many students may be in one lesson: 1 for lessons of one student, more for groups with `attendees`.',
  ),
}

/** A lesson type. Code, category and requirement come from the country's pack. */
export const LessonTypeSchema = field.resource(
  {
    code: Type.String({
      description: "The code from the country's pack, such as `PRACTICE`; unique in the school.",
    }),
    ...changeable,
    former_names: Type.Array(field.Name, {
      description:
        'The names that the school gave up. A lesson with such a title is shown by the present name.',
    }),
    category: Type.String({ description: 'The kind of lesson, such as `practical`, `special` or `theory`.' }),
    requirement_key: Type.Unsafe<string | null>({
      ...field.nullable(Type.String()),
      description: 'Lessons of all types with the same key count toward the same requirement of a class.',
    }),
    counts_toward_limits: Type.Boolean({ description: 'Whether it counts toward daily and weekly limits.' }),
    counts_toward_legal_minutes: Type.Boolean({
      description: 'Whether it counts as worked time.',
    }),
    needs_student: Type.Boolean({
      description: 'Whether a lesson without a student gets the warning `no_student`.',
    }),
    only_in_the_dark: Type.Boolean({
      description:
        'Whether it takes place between sunset and sunrise only; by day it gets the warning `not_dark`.',
    }),
    version: field.Version,
  },
  {
    $id: 'LessonType',
    description: "A kind of lesson, from the country's pack.",
    examples: [example.lessonType],
  },
)
export type LessonType = Static<typeof LessonTypeSchema>

export const LessonTypeChangeSchema = field.closed(field.optionals(changeable), {
  $id: 'LessonTypeChange',
  description: 'The fields to change. A name given by the school is used in every language.',
  examples: [{ hidden: true }],
})
export type LessonTypeChange = Static<typeof LessonTypeChangeSchema>
