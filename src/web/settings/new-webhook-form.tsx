import { useMutation } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiProblem } from '../data/send.ts'
import { addWebhook } from '../data/webhooks.ts'
import { Button } from '../ui/button.tsx'
import { isChanged } from '../ui/changed-fields.ts'
import { TextField } from '../ui/dialogs/text-fields.tsx'
import { FailureNotice } from '../ui/failure-notice.tsx'
import { Notice } from '../ui/notice.tsx'
import { problemMessage } from '../ui/problem-messages.ts'
import { useUnsaved } from '../ui/unsaved.tsx'
import { useCopying } from '../ui/use-copying.ts'
import css from './webhooks.module.css'

const EMPTY = { url: '', events: '*' }
const FAULTS = ['invalid_format', 'not_allowed', 'no_public_address'] as const

export function NewWebhookForm() {
  const { t } = useTranslation()
  const [form, setForm] = useState(EMPTY)
  const add = useMutation({ mutationFn: addWebhook, onSuccess: () => setForm(EMPTY) })
  useUnsaved(() => isChanged(form, EMPTY))
  const events = form.events.split(/[\s,]+/).filter((one) => one !== '')
  const isWhole = form.url.trim() !== '' && events.length > 0
  return (
    <>
      {add.data && <SecretBox key={add.data.id} secret={add.data.secret} />}
      <FailureNotice error={add.error} explain={faultText} />
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (isWhole && !add.isPending) add.mutate({ url: form.url.trim(), events })
        }}
      >
        <TextField
          label={t('webhooks.url')}
          description={t('webhooks.urlHint')}
          type="url"
          value={form.url}
          onChange={(url) => setForm({ ...form, url })}
        />
        <TextField
          label={t('webhooks.events')}
          description={t('webhooks.eventsHint')}
          value={form.events}
          onChange={(text) => setForm({ ...form, events: text })}
        />
        <Button type="submit" isBusy={add.isPending} disabled={!isWhole}>
          {t('webhooks.add')}
        </Button>
      </form>
    </>
  )
}

function faultText(error: unknown, t: TFunction): string {
  const faults = error instanceof ApiProblem ? (error.body.errors ?? []) : []
  if (faults.some(({ pointer }) => pointer.startsWith('/events'))) return t('webhooks.faults.events')
  const found = FAULTS.find((code) => faults.some((fault) => fault.pointer === '/url' && fault.code === code))
  return found ? t(`webhooks.faults.${found}`) : problemMessage(error, t)
}

/** A new secret, shown once, to pass on to the receiver. */
function SecretBox({ secret }: { secret: string }) {
  const { t } = useTranslation()
  const { field, outcome, copy } = useCopying(secret)
  return (
    <Notice kind="good" isAnswer>
      <p>{t('webhooks.secretHint')}</p>
      <TextField
        ref={field}
        label={t('webhooks.secret')}
        value={secret}
        readOnly
        onFocus={({ target }) => target.select()}
      />
      <p>
        <Button icon="copy" onClick={copy}>
          {t('webhooks.copy')}
        </Button>{' '}
        <span role="status">{outcome && t(`webhooks.${outcome}`)}</span>
      </p>
    </Notice>
  )
}
