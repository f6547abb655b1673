import { Type } from 'typebox'
import { STUDENT_PROOFS, type StudentActions } from '../domain/student-actions.ts'
import * as field from './fields.ts'

const actions = {
  confirm: Type.Boolean({ description: 'Whether students may confirm a coming lesson.' }),
  cancel: Type.Boolean({
    description:
      'Whether students may cancel a coming lesson. The page shows the fee that the policy proposes before they do.',
  }),
  wish: Type.Boolean({
    description: 'Whether students may add and withdraw wishes for lessons.',
  }),
  sign: field.optional(
    Type.Boolean({
      description:
        'Whether students may sign lessons and, after the end of a training, its record on their page. It needs a `proof` other than `none`. Missing means no.',
    }),
  ),
  proof: Type.Enum([...STUDENT_PROOFS], {
    description:
      "The proof that the page requires in addition to its link: none, the date of birth, or a code sent to the student's e-mail address.",
  }),
}

const ABOUT_ACTIONS = 'The actions that students may take on their page; all of them are off at first.'

/** The setting as a field of the school. */
export const studentActions = {
  student_actions: Type.Unsafe<StudentActions>(field.closed(actions, { description: ABOUT_ACTIONS })),
}

/** Whether students may move lessons. Separate from the actions, because older clients support only the original ones. */
export const studentsMayMove = {
  students_may_move: Type.Boolean({
    description:
      'Whether students may move a coming lesson on their page, to free times of its instructor between 07:00 and 21:00, as long as cancelling it would be free of charge.',
  }),
}

/** The setting as a field of a change of the school. */
export const changedStudentActions = {
  student_actions: Type.Unsafe<Partial<StudentActions>>(
    field.closed(field.optionals(actions), {
      description: `${ABOUT_ACTIONS} Omitted settings keep their values.`,
    }),
  ),
}
