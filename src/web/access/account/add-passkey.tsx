import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { NAME_LENGTH } from '../../../domain/ranges.ts'
import { ACCOUNT } from '../../data/account.ts'
import { addPasskey } from '../../data/passkeys.ts'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { TextField } from '../../ui/dialogs/text-fields.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import { toast } from '../../ui/toasts.ts'
import { ceremonyMessage } from '../login/ceremony-messages.ts'

export function AddPasskey({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const { mutate, error, isPending } = useMutation({
    mutationFn: addPasskey,
    onSettled: () => void client.invalidateQueries({ queryKey: ACCOUNT }),
    onSuccess: () => {
      toast({ kind: 'done', text: t('account.added') })
      onClose()
    },
  })
  return (
    <FormDialog
      title={t('account.add')}
      submit={t('account.create')}
      isBusy={isPending}
      onSubmit={(form) => mutate(String(form.get('name')))}
      onClose={onClose}
    >
      <TextField
        name="name"
        label={t('account.name')}
        description={t('account.nameHint')}
        maxLength={NAME_LENGTH.max}
        required
        data-autofocus
      />
      <FailureNotice error={error} explain={ceremonyMessage} />
    </FormDialog>
  )
}
