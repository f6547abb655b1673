import { Button, Group, Modal, PasswordInput, Stack } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ask } from '../api/client.ts'
import { ApiProblem } from '../api/send.ts'
import { Notice } from '../ui/notice.tsx'
import { problemWords } from '../ui/problem-words.ts'
import { toast } from '../ui/toasts.ts'

const SHORTEST = 8

/** Changes the own password; every other session ends. */
export default function PasswordDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
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
    <Modal
      opened
      onClose={onClose}
      title={t('password.title')}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <form onSubmit={submit}>
        <Stack>
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
            minLength={SHORTEST}
            required
          />
          {problem !== undefined && (
            <Notice kind="bad" isAnswer>
              {problem}
            </Notice>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('action.cancel')}
            </Button>
            <Button type="submit" loading={isBusy}>
              {t('action.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
