import { type Static, Type } from 'typebox'
import { APPOINTMENT_MINUTES, POSITION } from '../domain/ranges.ts'
import * as example from './examples.ts'
import * as field from './fields.ts'

/** The part of a lesson type that a school changes. */
const changeable = {
  name: field.Name,
  hidden: Type.Boolean({
    description:
      'Whether forms and searches leave it out. Lessons that have it keep it, and it still counts.',
  }),
  position: Type.Integer({
    minimum: POSITION.min,
    maximum: POSITION.max,
    description:
      'Where it stands in the list. At a place that is taken, the types in between move up by one.',
  }),
  color: field.Color,
  default_minutes: field.integer(APPOINTMENT_MINUTES),
}

/** A kind of lesson. Code, category and what it counts toward are those of the country's pack. */
export const LessonTypeSchema = field.resource(
  {
    code: Type.String(),
    ...changeable,
    category: Type.String(),
    requirement_key: Type.Unsafe<string | null>({
      ...field.nullable(Type.String()),
      description: 'Lessons of all types with the same key count toward the same requirement of a class.',
    }),
    counts_toward_limits: Type.Boolean({ description: 'Whether it uses up daily and weekly units.' }),
    counts_toward_legal_minutes: Type.Boolean({ description: 'Whether the minutes report counts it.' }),
    needs_student: Type.Boolean({
      description: 'Whether a lesson without a student is a mistake: `no_student`.',
    }),
    only_in_the_dark: Type.Boolean({
      description: 'Whether it is driven between sunset and sunrise only: by day `not_dark`.',
    }),
    version: field.Version,
  },
  { $id: 'LessonType', examples: [example.lessonType] },
)
export type LessonType = Static<typeof LessonTypeSchema>

export const LessonTypeChangeSchema = field.closed(field.optionals(changeable), {
  $id: 'LessonTypeChange',
  description: 'The name stays in every language once a school has given its own.',
  examples: [{ hidden: true }],
})
export type LessonTypeChange = Static<typeof LessonTypeChangeSchema>
