import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Webhook } from '../../contract/webhook.ts'
import { deleteWebhook, switchWebhook, webhooksOfSchool } from '../data/webhooks.ts'
import { Button } from '../ui/button.tsx'
import { Confirmation } from '../ui/dialogs/confirmation.tsx'
import { FieldGroup } from '../ui/field-group.tsx'
import { Notice } from '../ui/notice.tsx'
import { problemMessage } from '../ui/problem-messages.ts'
import { NewWebhookForm } from './new-webhook-form.tsx'
import { Deliveries } from './webhook-deliveries.tsx'
import css from './webhooks.module.css'

/** The receivers of changes. Each change is saved at once. */
export function Webhooks() {
  const { t } = useTranslation()
  const { data: webhooks } = useQuery(webhooksOfSchool)
  return (
    <FieldGroup title={t('webhooks.title')} hint={t('webhooks.hint')}>
      <ul className={css.list}>
        {webhooks?.map((webhook) => (
          <WebhookItem key={webhook.id} webhook={webhook} />
        ))}
      </ul>
      <NewWebhookForm />
    </FieldGroup>
  )
}

function WebhookItem({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation()
  const [isRemoving, setRemoving] = useState(false)
  const toggle = useMutation({ mutationFn: switchWebhook })
  const remove = useMutation({ mutationFn: deleteWebhook })
  const { url, events, disabled, disabled_reason } = webhook
  const turn = t(disabled ? 'webhooks.turnOn' : 'webhooks.turnOff')
  return (
    <li>
      <div className={css.row}>
        <strong className={css.url}>{url}</strong>
        <span>{events.join(', ')}</span>
        <span>{t(disabled ? 'webhooks.off' : 'webhooks.on')}</span>
        <span className={css.actions}>
          <Button
            isBusy={toggle.isPending}
            aria-label={t('webhooks.ofUrl', { action: turn, url })}
            onClick={() => toggle.mutate(webhook)}
          >
            {turn}
          </Button>
          <Button
            look="remove"
            aria-label={t('webhooks.ofUrl', { action: t('action.delete'), url })}
            onClick={() => setRemoving(true)}
          >
            {t('action.delete')}
          </Button>
        </span>
      </div>
      {disabled_reason && <Notice kind="warn">{t(`webhooks.because.${disabled_reason}`)}</Notice>}
      {toggle.error && <Notice kind="bad">{problemMessage(toggle.error, t)}</Notice>}
      <Deliveries webhook={webhook} />
      {isRemoving && (
        <Confirmation
          title={t('webhooks.ofUrl', { action: t('action.delete'), url })}
          keep={t('action.cancel')}
          act={t('action.delete')}
          isBusy={remove.isPending}
          error={remove.error}
          onAct={() => remove.mutate(webhook)}
          onClose={() => setRemoving(false)}
        >
          {t('webhooks.removeText')}
        </Confirmation>
      )}
    </li>
  )
}
