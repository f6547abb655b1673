import type { NewStudent, Student } from '../../../contract/student.ts'
import { changeStudent, enrolStudent, restoreStudent } from '../../data/students.ts'
import { problemMessage } from '../problem-messages.ts'
import { nameOf } from '../school.tsx'
import { withProgress } from '../toasts.ts'
import type { Command, Done } from './steps.ts'
import { type PersonRequests, personStep } from './use-save-person.ts'

export const STUDENT_REQUESTS: PersonRequests<Student, NewStudent> = {
  kind: 'students',
  create: enrolStudent,
  change: changeStudent,
}

/** Returns the command that restores a deleted student and the lessons that still fit, and shows the progress. */
export function restoringStudent(context: Done['context'], student: Student): Command {
  const { client, t } = context
  const name = nameOf(student)
  return {
    run: async () => {
      const sets: string[] = []
      const { student: restored, refused } = await withProgress(t('student.restoring', { name }), (show) =>
        restoreStudent(student, { client, sets }, ({ checked, total }) => show(checked, total)),
      )
      const count = refused.length
      return {
        ...(await personStep(context, 'students', sets, { undone: [], done: [restored] })),
        stands: count > 0 ? t('student.restoredPartly', { name, count }) : t('student.restored', { name }),
        isPartial: count > 0,
      }
    },
    explain: (error) => ({ why: problemMessage(error, t) }),
  }
}
