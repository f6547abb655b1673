import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Passkey } from '../../../contract/passkey.ts'
import { NAME_LENGTH } from '../../../domain/ranges.ts'
import { ACCOUNT, renamePasskey } from '../../data/account.ts'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { TextField } from '../../ui/dialogs/text-fields.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'

type RenamePasskeyProps = { readonly passkey: Passkey; readonly onClose: () => void }

export function RenamePasskey({ passkey, onClose }: RenamePasskeyProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const { mutate, error, isPending } = useMutation({
    mutationFn: (name: string) => renamePasskey(passkey.id, name),
    onSettled: () => client.invalidateQueries({ queryKey: ACCOUNT }),
    onSuccess: onClose,
  })
  return (
    <FormDialog
      title={t('account.renameTitle')}
      submit={t('action.save')}
      isBusy={isPending}
      onSubmit={(form) => mutate(String(form.get('name')))}
      onClose={onClose}
    >
      <TextField
        name="name"
        label={t('account.name')}
        defaultValue={passkey.name}
        maxLength={NAME_LENGTH.max}
        required
        data-autofocus
      />
      <FailureNotice error={error} />
    </FormDialog>
  )
}
