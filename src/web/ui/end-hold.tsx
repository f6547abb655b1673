import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { refetchComputed } from '../data/computed.ts'
import { endHold } from '../data/retention.ts'
import { Button } from './button.tsx'
import { problemMessage } from './problem-messages.ts'
import { toast } from './toasts.ts'

export type HeldStudent = { readonly student_id: string; readonly name: string }

/** The button that ends the hold of a student. */
export function EndHold({ student: { student_id, name } }: { readonly student: HeldStudent }) {
  const client = useQueryClient()
  const { t } = useTranslation()
  const { mutate, isPending } = useMutation({
    mutationFn: endHold,
    onError: (error) => toast({ kind: 'problem', text: problemMessage(error, t) }),
    onSettled: () => refetchComputed(client),
  })
  return (
    <Button
      isBusy={isPending}
      aria-label={t('retention.endHoldWhom', { name })}
      onClick={() => mutate(student_id)}
    >
      {t('retention.endHold')}
    </Button>
  )
}
