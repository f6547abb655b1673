import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Student } from '../../contract/student.ts'
import { deleteStudent, restoreStudent } from '../api/students.ts'
import { Confirmation } from '../dialogs/confirmation.tsx'
import { problemWords } from '../ui/problem-words.ts'
import { nameOf } from '../ui/school.tsx'
import { toast } from '../ui/toasts.ts'

type DeleteStudentProps = {
  readonly student: Student
  /** How many lessons it will cancel. */
  readonly cancelled: number
  readonly onDeleted: () => void
  readonly onClose: () => void
}

/** Says what the deletion will do, and can take it back. */
export function DeleteStudent({ student, cancelled, onDeleted, onClose }: DeleteStudentProps) {
  const { t } = useTranslation()
  const name = nameOf(student)
  const { mutate, error, isPending } = useDeletion(name, student, onDeleted)

  return (
    <Confirmation
      title={t('student.deleteTitle', { name })}
      keep={t('action.cancel')}
      act={t('action.delete')}
      isBusy={isPending}
      error={error}
      onAct={() => mutate(student)}
      onClose={onClose}
    >
      {cancelled > 0 && `${t('student.deleteCancels', { count: cancelled })} `}
      {t('student.deleteKeeps')}
    </Confirmation>
  )
}

/** Deletes, and offers to take it back. */
function useDeletion(name: string, student: Student, onDeleted: () => void) {
  const { t } = useTranslation()
  const { mutateAsync: restore } = useMutation({
    mutationFn: restoreStudent,
    onSuccess: ({ refused: { length: count } }) => {
      const text = count > 0 ? t('student.restoredPartly', { name, count }) : t('student.restored', { name })
      toast({ kind: count > 0 ? 'problem' : 'done', text })
    },
    onError: (failure) => toast({ kind: 'problem', text: problemWords(failure, t) }),
  })
  const undo = () =>
    restore(student).then(
      () => true,
      () => false,
    )
  return useMutation({
    mutationFn: deleteStudent,
    onSuccess: () => {
      onDeleted()
      toast({ kind: 'done', text: t('student.deleted', { name }), undo })
    },
  })
}
