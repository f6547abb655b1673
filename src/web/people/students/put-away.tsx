import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Student } from '../../../contract/student.ts'
import { ApiProblem } from '../../data/send.ts'
import { changeStudent } from '../../data/students.ts'
import { Button } from '../../ui/button.tsx'
import { problemMessage } from '../../ui/problem-messages.ts'
import { nameOf, useSchool } from '../../ui/school.tsx'
import { toast } from '../../ui/toasts.ts'
import { recordStep } from '../../ui/undo/steps.ts'
import { personStep } from '../../ui/undo/use-save-person.ts'

/** The button that puts a student away as a former one, or takes a former one back. */
export function PutAway({ student }: { readonly student: Student }) {
  const client = useQueryClient()
  const school = useSchool()
  const { t } = useTranslation()
  const archived = student.archived_at === null
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      const sets: string[] = []
      const saved = await changeStudent({ seen: student, change: { archived } }, { client, sets })
      return { saved, sets }
    },
    onError: (error) => {
      const isInUse = error instanceof ApiProblem && error.is('in_use')
      toast({ kind: 'problem', text: isInUse ? t('former.lessonsTo') : problemMessage(error, t) })
    },
    onSuccess: async ({ saved, sets }) => {
      const text = t(archived ? 'former.away' : 'former.back', { name: nameOf(student) })
      const on = { undone: [student], done: [saved] }
      recordStep({ text, label: text }, await personStep({ client, school, t }, 'students', sets, on))
    },
  })
  return (
    <Button look="bare" isBusy={isPending} onClick={() => mutate()}>
      {t(archived ? 'former.putAway' : 'former.takeBack')}
    </Button>
  )
}
