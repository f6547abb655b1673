import { type Static, Type } from 'typebox'
import * as example from './examples.ts'
import * as field from './fields.ts'

/** A kind of lesson; read-only. */
export const LessonTypeSchema = field.resource(
  {
    code: Type.String(),
    name: field.Name,
    category: Type.String(),
    requirement_key: Type.Unsafe<string | null>({
      ...field.nullable(Type.String()),
      description: 'Lessons of all types with the same key count toward the same requirement of a class.',
    }),
    default_minutes: Type.Integer(),
    color: field.Color,
    counts_toward_limits: Type.Boolean({ description: 'Whether it uses up daily and weekly units.' }),
    counts_toward_legal_minutes: Type.Boolean({ description: 'Whether the minutes report counts it.' }),
    needs_student: Type.Boolean({
      description: 'Whether a lesson without a student is a mistake: `no_student`.',
    }),
    only_in_the_dark: Type.Boolean({
      description: 'Whether it is driven between sunset and sunrise only: by day `not_dark`.',
    }),
  },
  { $id: 'LessonType', examples: [example.lessonType] },
)
export type LessonType = Static<typeof LessonTypeSchema>
