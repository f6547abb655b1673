import type { NewStudent, Student } from '../../../contract/student.ts'
import { isCounted } from '../../../domain/counted.ts'
import { lessonsOfStudent } from '../../data/appointments.ts'
import { changeStudent, deleteStudent, enrolStudent, restoreStudent } from '../../data/students.ts'
import { fieldsOf, mergeWrite } from '../../data/write-queue.ts'
import { problemMessage } from '../problem-messages.ts'
import { nameOf } from '../school.tsx'
import type { Command, Done } from './steps.ts'
import type { Context, Verbs } from './use-save-person.ts'

/** The requests that enrol and change students, and that undo an enrolment. */
export const STUDENT_VERBS: Verbs<Student, NewStudent> = {
  create: enrolStudent,
  change: changeStudent,
  uncreate: undoingEnrolment,
  placeOf: ({ id }) => ({ to: '/students', search: { student: id } }),
}

export function deleted(context: Context, student: Student): Done {
  return { opposite: restoring(context, student, (restored) => deleting(context, restored)) }
}

function deleting(context: Context, student: Student): Command {
  return {
    run: async () => {
      await mergeWrite(student, { fields: fieldsOf(student) }, (seen) => deleteStudent(seen, context))
      return deleted(context, student)
    },
    explain: (error) => ({ why: problemMessage(error, context.t) }),
  }
}

/** A student with lessons, which a deletion would cancel, can no longer be un-enrolled. */
class HasLessons extends Error {}

function undoingEnrolment(context: Context, student: Student): Command {
  const { run, explain } = deleting(context, student)
  return {
    run: async () => {
      const lessons = await context.client.fetchQuery({ ...lessonsOfStudent(student.id), staleTime: 0 })
      if (lessons.some(isCounted)) throw new HasLessons()
      await run()
      return { opposite: restoring(context, student, (restored) => undoingEnrolment(context, restored)) }
    },
    explain: (error) =>
      error instanceof HasLessons
        ? { why: context.t('undo.hasLessons', { name: nameOf(student) }) }
        : explain(error),
  }
}

function restoring(context: Context, student: Student, opposite: (restored: Student) => Command): Command {
  const name = nameOf(student)
  return {
    run: async () => {
      const { student: restored, refused } = await restoreStudent(student, context)
      const count = refused.length
      return {
        opposite: opposite(restored),
        stands:
          count > 0
            ? context.t('student.restoredPartly', { name, count })
            : context.t('student.restored', { name }),
        isPartial: count > 0,
        place: STUDENT_VERBS.placeOf(restored),
      }
    },
    explain: (error) => ({ why: problemMessage(error, context.t) }),
  }
}
