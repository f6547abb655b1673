import { Type } from 'typebox'
import { EXAM_OBSTACLES } from '../domain/readiness.ts'
import * as field from './fields.ts'

export const ReadinessSchema = field.closed(
  {
    requirements: Type.Boolean({
      description: 'Whether all requirements of the class except theory are met. False without a class.',
    }),
    theory: Type.Boolean({
      description: 'Whether the theory that the class requires is attended. False without a class.',
    }),
    theory_test: field.nullable(
      Type.Boolean({
        description: 'Whether a theory test is passed and still valid; null without a result.',
      }),
    ),
    ready: Type.Boolean({
      description:
        'Whether nothing is missing. False once the practical test is passed. Every class needs a theory test, except those without one by law, such as BE in Germany.',
    }),
    missing: Type.Array(Type.Enum([...EXAM_OBSTACLES]), {
      description:
        'The parts that the student still lacks. `papers` and `approval` are ticks of the current enrolment that the exam needs and that are missing or expired; they count once any tick has been entered. `training_outdated`: the practice ended too long ago, or the theory did and no theory test is valid.',
    }),
    earliest_date: field.nullable(
      field.described(
        field.LocalDate,
        "The first day of the next attempt after a failed exam, by the rules of the school's country; null if none has failed or the country has no such rule.",
      ),
    ),
  },
  {
    $id: 'Readiness',
    description: 'Whether a student may take the practical test of their class.',
    examples: [
      {
        requirements: true,
        theory: true,
        theory_test: false,
        ready: false,
        missing: ['theory_test'],
        earliest_date: '2026-05-18',
      },
    ],
  },
)
