import type { NewStudent, Student } from '../../../contract/student.ts'
import { isCounted } from '../../../domain/counted.ts'
import { lessonsOfStudent } from '../../data/appointments.ts'
import { changeStudent, deleteStudent, enrolStudent, restoreStudent } from '../../data/students.ts'
import { fieldsOf, mergeWrite } from '../../data/write-queue.ts'
import { problemMessage } from '../problem-messages.ts'
import { nameOf } from '../school.tsx'
import { withProgress } from '../toasts.ts'
import type { Command, Done } from './steps.ts'
import type { PersonRequests, SaveContext } from './use-save-person.ts'

/** The requests that enrol and change students, and that undo an enrolment. */
export const STUDENT_REQUESTS: PersonRequests<Student, NewStudent> = {
  create: enrolStudent,
  change: changeStudent,
  uncreate: undoingEnrolment,
  placeOf: ({ id }) => ({ to: '/students', search: { student: id } }),
}

export function deleted(context: SaveContext, student: Student): Done {
  return { opposite: restoring(context, student, (restored) => deleting(context, restored)) }
}

function deleting(context: SaveContext, student: Student): Command {
  return {
    run: async () => {
      await mergeWrite(student, { fields: fieldsOf(student) }, (seen) => deleteStudent(seen, context))
      return deleted(context, student)
    },
    explain: (error) => ({ why: problemMessage(error, context.t) }),
  }
}

/** The error if an enrolment cannot be undone because the deletion would cancel lessons. */
class HasLessons extends Error {}

function undoingEnrolment(context: SaveContext, student: Student): Command {
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

function restoring(
  context: SaveContext,
  student: Student,
  opposite: (restored: Student) => Command,
): Command {
  const name = nameOf(student)
  return {
    run: async () => {
      const { student: restored, refused } = await withProgress(
        context.t('student.restoring', { name }),
        (show) => restoreStudent(student, context, ({ checked, total }) => show(checked, total)),
      )
      const count = refused.length
      return {
        opposite: opposite(restored),
        stands:
          count > 0
            ? context.t('student.restoredPartly', { name, count })
            : context.t('student.restored', { name }),
        isPartial: count > 0,
        place: STUDENT_REQUESTS.placeOf(restored),
      }
    },
    explain: (error) => ({ why: problemMessage(error, context.t) }),
  }
}
