import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Delivery, Webhook } from '../../contract/webhook.ts'
import { newestDeliveries, replayWebhook } from '../data/webhooks.ts'
import { Button } from '../ui/button.tsx'
import { Details } from '../ui/details.tsx'
import group from '../ui/group.module.css'
import { momentText } from '../ui/moment-text.ts'
import { Notice } from '../ui/notice.tsx'
import { problemMessage } from '../ui/problem-messages.ts'
import { useSchool } from '../ui/school.tsx'
import css from './webhooks.module.css'

/** The sent and waiting deliveries of a webhook, read when it opens. */
export function Deliveries({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation()
  return (
    <Details title={t('webhooks.deliveries')} className="">
      <DeliveryList webhook={webhook} />
    </Details>
  )
}

function DeliveryList({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation()
  const { data: deliveries } = useQuery(newestDeliveries(webhook.id))
  const replay = useMutation({ mutationFn: replayWebhook })
  return (
    <>
      <p className={group.hint}>
        {t(deliveries?.length === 0 ? 'webhooks.noDeliveries' : 'webhooks.newest')}
      </p>
      {replay.isSuccess && (
        <Notice kind="good" isAnswer>
          {t('webhooks.replayed')}
        </Notice>
      )}
      {replay.error && <Notice kind="bad">{problemMessage(replay.error, t)}</Notice>}
      <ul className={css.list}>
        {deliveries?.map((delivery) => (
          <DeliveryItem
            key={delivery.id}
            delivery={delivery}
            isBusy={replay.isPending}
            onReplay={() => replay.mutate({ webhook, since: delivery.cursor })}
          />
        ))}
      </ul>
    </>
  )
}

type DeliveryItemProps = {
  readonly delivery: Delivery
  readonly isBusy: boolean
  readonly onReplay: () => void
}

function DeliveryItem({ delivery, isBusy, onReplay }: DeliveryItemProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const { type, state, attempts, status, error, changed_at } = delivery
  const time = momentText(changed_at, school)
  const outcome = error ?? status
  return (
    <li className={css.row}>
      <span>{time}</span>
      <strong>{type}</strong>
      <span>{t(`webhooks.states.${state}`)}</span>
      {attempts > 0 && <span>{t('webhooks.attempts', { count: attempts })}</span>}
      {outcome !== null && <span>{t('webhooks.answer', { outcome })}</span>}
      <Button isBusy={isBusy} aria-label={t('webhooks.replayOf', { event: type, time })} onClick={onReplay}>
        {t('webhooks.replay')}
      </Button>
    </li>
  )
}
