import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Passkey } from '../../../contract/passkey.ts'
import { NAME_LENGTH } from '../../../domain/ranges.ts'
import { ACCOUNT, renamePasskey } from '../../data/account.ts'
import { addPasskey } from '../../data/passkeys.ts'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { TextField } from '../../ui/dialogs/text-fields.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import { toast } from '../../ui/toasts.ts'
import { ceremonyMessage } from '../login/ceremony-messages.ts'

/** Asks for a name, then creates a passkey in the browser. */
export function AddPasskey({ onClose, onDone: more }: { onClose: () => void; onDone?: () => void }) {
  const { t } = useTranslation()
  const onDone = () => {
    toast({ kind: 'done', text: t('account.added') })
    onClose()
    more?.()
  }
  const texts = { title: t('account.add'), submit: t('account.create'), hint: t('account.nameHint') }
  return <NameDialog {...texts} request={addPasskey} onDone={onDone} onClose={onClose} />
}

export function RenamePasskey({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const { t } = useTranslation()
  const rename = (name: string) => renamePasskey(passkey.id, name)
  const texts = { title: t('account.renameTitle'), submit: t('action.save'), name: passkey.name }
  return <NameDialog {...texts} request={rename} onDone={onClose} onClose={onClose} />
}

type NameDialogProps = {
  readonly title: string
  readonly submit: string
  readonly hint?: string
  readonly name?: string
  readonly request: (name: string) => Promise<unknown>
  readonly onDone: () => void
  readonly onClose: () => void
}

function NameDialog({ title, submit, hint, name, request, onDone, onClose }: NameDialogProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const { mutate, error, isPending } = useMutation({
    mutationFn: request,
    onSettled: () => void client.invalidateQueries({ queryKey: ACCOUNT }),
    onSuccess: onDone,
  })
  return (
    <FormDialog
      title={title}
      submit={submit}
      isBusy={isPending}
      onSubmit={(form) => mutate(String(form.get('name')))}
      onClose={onClose}
    >
      <TextField
        name="name"
        label={t('account.name')}
        description={hint}
        defaultValue={name}
        maxLength={NAME_LENGTH.max}
        required
        data-autofocus
      />
      <FailureNotice error={error} explain={ceremonyMessage} />
    </FormDialog>
  )
}
