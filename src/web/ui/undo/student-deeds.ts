import type { NewStudent, Student } from '../../../contract/student.ts'
import { lessonsOfStudent } from '../../data/appointments.ts'
import { changeStudent, deleteStudent, enrolStudent, restoreStudent } from '../../data/students.ts'
import { besideOthers, fieldsOf } from '../../data/write-queue.ts'
import { problemWords } from '../problem-words.ts'
import { nameOf } from '../school.tsx'
import type { Deed, Done } from './steps.ts'
import type { Desk, Verbs } from './use-save-person.ts'

/** The requests that enrol and change students, and that undo an enrolment. */
export const STUDENT_VERBS: Verbs<Student, NewStudent> = {
  create: enrolStudent,
  change: changeStudent,
  uncreate: unenrolling,
  placeOf: ({ id }) => ({ to: '/students', search: { student: id } }),
}

/** A student who has been deleted. */
export function deleted(desk: Desk, student: Student): Done {
  return { opposite: restoring(desk, student, (restored) => deleting(desk, restored)) }
}

function deleting(desk: Desk, student: Student): Deed {
  return {
    run: async () => {
      await besideOthers(student, { fields: fieldsOf(student) }, (seen) => deleteStudent(seen, desk))
      return deleted(desk, student)
    },
    explain: (error) => ({ why: problemWords(error, desk.t) }),
  }
}

/** With lessons, which a deletion would cancel, somebody is no longer new. */
class HasLessons extends Error {}

function unenrolling(desk: Desk, student: Student): Deed {
  const { run, explain } = deleting(desk, student)
  return {
    run: async () => {
      const lessons = await desk.client.fetchQuery({ ...lessonsOfStudent(student.id), staleTime: 0 })
      if (lessons.some(({ status }) => status !== 'cancelled')) throw new HasLessons()
      await run()
      return { opposite: restoring(desk, student, (restored) => unenrolling(desk, restored)) }
    },
    explain: (error) =>
      error instanceof HasLessons
        ? { why: desk.t('undo.hasLessons', { name: nameOf(student) }) }
        : explain(error),
  }
}

function restoring(desk: Desk, student: Student, opposite: (restored: Student) => Deed): Deed {
  const name = nameOf(student)
  return {
    run: async () => {
      const { student: restored, refused } = await restoreStudent(student, desk)
      const count = refused.length
      return {
        opposite: opposite(restored),
        stands:
          count > 0
            ? desk.t('student.restoredPartly', { name, count })
            : desk.t('student.restored', { name }),
        isPartial: count > 0,
        place: STUDENT_VERBS.placeOf(restored),
      }
    },
    explain: (error) => ({ why: problemWords(error, desk.t) }),
  }
}
