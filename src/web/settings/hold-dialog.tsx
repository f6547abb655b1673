import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { refetchComputed } from '../data/computed.ts'
import { holdStudent } from '../data/retention.ts'
import { DateField } from '../ui/dialogs/date-field.tsx'
import { FormDialog } from '../ui/dialogs/form-dialog.tsx'
import { TextField } from '../ui/dialogs/text-fields.tsx'
import { FailureNotice } from '../ui/failure-notice.tsx'

export type HeldStudent = { readonly student_id: string; readonly name: string }
type HoldDialogProps = { readonly student: HeldStudent; readonly onClose: () => void }

export function HoldDialog({ student, onClose }: HoldDialogProps) {
  const client = useQueryClient()
  const { t } = useTranslation()
  const [reason, setReason] = useState('')
  const [until, setUntil] = useState('')
  const { mutate, error, isPending } = useMutation({
    mutationFn: holdStudent,
    onSuccess: async () => {
      await refetchComputed(client)
      onClose()
    },
  })
  return (
    <FormDialog
      title={t('keeping.holdWhom', { name: student.name })}
      submit={t('keeping.hold')}
      isBusy={isPending}
      isBlocked={reason.trim() === ''}
      onSubmit={() => mutate({ id: student.student_id, reason: reason.trim(), until: until || null })}
      onClose={onClose}
    >
      <p>{t('keeping.holdHint')}</p>
      <TextField
        label={t('keeping.reason')}
        value={reason}
        onChange={setReason}
        maxLength={200}
        required
        data-autofocus
      />
      <DateField label={t('keeping.holdUntil')} value={until} onChange={setUntil} isOptional />
      <FailureNotice error={error} />
    </FormDialog>
  )
}
