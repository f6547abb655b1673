import { PasswordInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PASSWORD_BYTES } from '../../domain/ranges.ts'
import { ask } from '../session/ask.ts'
import { ApiProblem } from '../session/send.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { Notice } from '../ui/notice.tsx'
import { problemWords } from '../ui/problem-words.ts'
import { toast } from '../ui/toasts.ts'

/** Changes the own password; every other session ends. */
export default function PasswordDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)

  const submit = async (form: FormData) => {
    const body = { current_password: form.get('current'), new_password: form.get('next') }
    setBusy(true)
    try {
      await ask('/auth/password', { method: 'POST', body })
      toast({ kind: 'done', text: t('password.done') })
      onClose()
    } catch (error) {
      const isWrong = error instanceof ApiProblem && error.is('invalid_credentials')
      setProblem(isWrong ? t('password.wrong') : problemWords(error, t))
    } finally {
      setBusy(false)
    }
  }

  return (
    <FormDialog
      title={t('password.title')}
      submit={t('action.save')}
      isBusy={isBusy}
      onSubmit={submit}
      onClose={onClose}
    >
      <PasswordInput
        name="current"
        label={t('password.current')}
        autoComplete="current-password"
        required
        data-autofocus
      />
      <PasswordInput
        name="next"
        label={t('password.next')}
        description={t('password.hint')}
        autoComplete="new-password"
        minLength={PASSWORD_BYTES.min}
        required
      />
      {problem !== undefined && (
        <Notice kind="bad" isAnswer>
          {problem}
        </Notice>
      )}
    </FormDialog>
  )
}
