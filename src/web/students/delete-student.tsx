import { Button, Group, Modal } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Student } from '../../contract/student.ts'
import { followNow } from '../api/following.ts'
import { dropPerson, storePerson } from '../api/people.ts'
import { deleteStudent, restoreStudent } from '../api/students.ts'
import { Notice } from '../ui/notice.tsx'
import { problemWords } from '../ui/problem-words.ts'
import { nameOf } from '../ui/school.tsx'
import { toast } from '../ui/toasts.ts'
import { useFocusReturn } from '../ui/use-focus-return.ts'

type DeleteStudentProps = {
  readonly student: Student
  /** How many lessons it will cancel. */
  readonly cancelled: number
  readonly onDeleted: () => void
  readonly onClose: () => void
}

/** Says what the deletion will do, and can take it back. */
export function DeleteStudent({ student, cancelled, onDeleted, onClose }: DeleteStudentProps) {
  const client = useQueryClient()
  const { t } = useTranslation()
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const name = nameOf(student)
  useFocusReturn()

  const restore = async (): Promise<boolean> => {
    try {
      const { student: back, refused } = await restoreStudent(student)
      await storePerson(client, 'students', back)
      void followNow(client)
      const count = refused.length
      const text = count > 0 ? t('student.restoredPartly', { name, count }) : t('student.restored', { name })
      toast({ kind: count > 0 ? 'problem' : 'done', text })
      return true
    } catch (failure) {
      toast({ kind: 'problem', text: problemWords(failure, t) })
      return false
    }
  }

  const remove = async () => {
    setBusy(true)
    try {
      await deleteStudent(student)
      onDeleted()
      await dropPerson(client, 'students', student.id)
      void followNow(client)
      toast({ kind: 'done', text: t('student.deleted', { name }), undo: restore })
    } catch (failure) {
      setError(failure)
      setBusy(false)
    }
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={t('student.deleteTitle', { name })}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <p>
        {cancelled > 0 && `${t('student.deleteCancels', { count: cancelled })} `}
        {t('student.deleteKeeps')}
      </p>
      {error !== undefined && (
        <Notice kind="bad" isAnswer>
          {problemWords(error, t)}
        </Notice>
      )}
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onClose} data-autofocus>
          {t('action.cancel')}
        </Button>
        <Button color="red" loading={isBusy} onClick={remove}>
          {t('action.delete')}
        </Button>
      </Group>
    </Modal>
  )
}
