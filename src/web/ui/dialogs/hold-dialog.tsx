import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Hold } from '../../../contract/retention.ts'
import { refetchComputed } from '../../data/computed.ts'
import { holdStudent } from '../../data/retention.ts'
import type { HeldStudent } from '../end-hold.tsx'
import { FailureNotice } from '../failure-notice.tsx'
import { DateField } from './date-field.tsx'
import { FormDialog } from './form-dialog.tsx'
import { TextField } from './text-fields.tsx'

type HoldDialogProps = {
  readonly student: HeldStudent
  /** The hold to replace. */
  readonly hold?: Hold | null
  readonly onClose: () => void
}

export function HoldDialog({ student, hold = null, onClose }: HoldDialogProps) {
  const client = useQueryClient()
  const { t } = useTranslation()
  const [reason, setReason] = useState(hold?.reason ?? '')
  const [until, setUntil] = useState(hold?.until ?? '')
  const { mutate, error, isPending } = useMutation({
    mutationFn: holdStudent,
    onSuccess: async () => {
      await refetchComputed(client)
      onClose()
    },
  })
  return (
    <FormDialog
      title={t('retention.holdWhom', { name: student.name })}
      submit={t(hold ? 'action.save' : 'retention.hold')}
      isBusy={isPending}
      isBlocked={reason.trim() === ''}
      onSubmit={() => mutate({ id: student.student_id, reason: reason.trim(), until: until || null })}
      onClose={onClose}
    >
      <p>{t('retention.holdHint')}</p>
      <TextField
        label={t('retention.reason')}
        value={reason}
        onChange={setReason}
        maxLength={200}
        required
        data-autofocus
      />
      <DateField label={t('retention.holdUntil')} value={until} onChange={setUntil} isOptional />
      <FailureNotice error={error} />
    </FormDialog>
  )
}
