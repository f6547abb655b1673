import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Student } from '../../../contract/student.ts'
import { deleteStudent } from '../../data/students.ts'
import { Confirmation } from '../../ui/dialogs/confirmation.tsx'
import { studentName, useSchool } from '../../ui/school.tsx'
import { recordStep } from '../../ui/undo/steps.ts'
import { personStep } from '../../ui/undo/use-save-person.ts'

type DeleteStudentProps = {
  readonly student: Student
  /** The number of lessons to be cancelled. */
  readonly cancelled: number
  readonly onDeleted: () => void
  readonly onClose: () => void
}

/** Explains the consequences, then deletes the student with an undo. */
export function DeleteStudent({ student, cancelled, onDeleted, onClose }: DeleteStudentProps) {
  const { t } = useTranslation()
  const name = studentName(student, useSchool())
  const { mutate, error, isPending } = useDeletion(name, student, onDeleted)

  return (
    <Confirmation
      title={t('student.deleteTitle', { name })}
      keep={t('action.cancel')}
      act={t('action.delete')}
      isBusy={isPending}
      error={error}
      onAct={() => mutate()}
      onClose={onClose}
    >
      {cancelled > 0 && `${t('student.deleteCancels', { count: cancelled })} `}
      {t('student.deleteKeeps')}
    </Confirmation>
  )
}

/** Returns the function that deletes the student with an undo. */
function useDeletion(name: string, student: Student, onDeleted: () => void) {
  const client = useQueryClient()
  const school = useSchool()
  const { t } = useTranslation()
  return useMutation({
    mutationFn: async () => {
      const sets: string[] = []
      await deleteStudent(student, { client, sets })
      return sets
    },
    onSuccess: async (sets) => {
      onDeleted()
      const on = { undone: [student], done: [] }
      const message = { text: t('student.deleted', { name }), label: t('step.deleted', { what: name }) }
      recordStep(message, await personStep({ client, school, t }, 'students', sets, on))
    },
  })
}
