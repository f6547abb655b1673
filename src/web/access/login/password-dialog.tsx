import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { PASSWORD_BYTES } from '../../../domain/ranges.ts'
import { fetchApi } from '../../data/fetch-api.ts'
import { ApiProblem } from '../../data/send.ts'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { PasswordField } from '../../ui/dialogs/text-fields.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import { toast } from '../../ui/toasts.ts'

export default function PasswordDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const { mutate, error, isPending } = useMutation({
    mutationFn: (form: FormData) => {
      const body = { current_password: form.get('current'), new_password: form.get('next') }
      return fetchApi('/auth/password', { method: 'POST', body })
    },
    onSuccess: () => {
      toast({ kind: 'done', text: t('password.done') })
      onClose()
    },
  })
  const isWrong = error instanceof ApiProblem && error.is('invalid_credentials')

  return (
    <FormDialog
      title={t('password.title')}
      submit={t('action.save')}
      isBusy={isPending}
      onSubmit={mutate}
      onClose={onClose}
    >
      <PasswordField
        name="current"
        label={t('field.current_password')}
        autoComplete="current-password"
        data-autofocus
      />
      <PasswordField
        name="next"
        label={t('field.new_password')}
        description={t('password.hint')}
        autoComplete="new-password"
        minLength={PASSWORD_BYTES.min}
      />
      <FailureNotice error={error} text={isWrong && t('password.wrong')} />
    </FormDialog>
  )
}
