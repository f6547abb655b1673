import { type Static, Type } from 'typebox'
import { ACTIONS, RESOURCES } from './change.ts'
import * as example from './examples-of-webhooks.ts'
import * as field from './fields.ts'
import { httpsFaultsFor } from './https-address.ts'

export const URL_LENGTH = { min: 1, max: 2000 }
const MAX_EVENTS = 100

/** The maximum webhooks of a school. Each follows its log. */
export const MAX_WEBHOOKS = 20

/** The event of a webhook that delivers messages to students in place of mail. `*` does not include it. */
export const MESSAGE_EVENT = 'message.send'

const EVENT = `^(\\*|(${RESOURCES.join('|')})\\.(\\*|${ACTIONS.join('|')})|${MESSAGE_EVENT.replace('.', '\\.')})$`

const url = field.described(
  field.text(URL_LENGTH),
  'The address of the receiver: `https`, without user or password, at a public address. The log of changes has only its origin.',
)
const EVENTS =
  'The types of events to send: a resource and an action such as `appointment.changed`, all actions of a resource such as `appointment.*`, or `*`. `message.send`, which is no part of `*`, makes it the channel of messages to students.'
const events = Type.Array(Type.String({ pattern: EVENT }), {
  minItems: 1,
  maxItems: MAX_EVENTS,
  uniqueItems: true,
  description: EVENTS,
})
const disabled = Type.Boolean({
  description:
    'Whether the webhook is paused. No changes are lost: once enabled, it continues where it stopped.',
})

const fields = {
  url,
  events,
  disabled,
  disabled_reason: Type.Unsafe<'failing' | 'gone' | 'secret_lost' | null>({
    type: ['string', 'null'],
    enum: ['failing', 'gone', 'secret_lost', null],
    description:
      'Why the service disabled it: every delivery failed for three days, the receiver responded with 410, or the secret cannot be read because the service has another `JWT_SECRET`. Null if a person did.',
  }),
  version: field.Version,
}

export const WebhookSchema = field.resource(fields, {
  $id: 'Webhook',
  description: 'A receiver of the changes of the school.',
  examples: [example.webhook],
})
export type Webhook = Static<typeof WebhookSchema>

export const MadeWebhookSchema = field.resource(
  {
    ...fields,
    secret: Type.String({
      description:
        'The secret that signs every message, as specified by Standard Webhooks. It is shown only once.',
    }),
  },
  {
    $id: 'MadeWebhook',
    description: 'A new webhook and its secret.',
    examples: [{ ...example.webhook, secret: example.webhookSecret }],
  },
)
export type MadeWebhook = Static<typeof MadeWebhookSchema>

export const NewWebhookSchema = field.closed(
  {
    url,
    events: field.optional(field.described(events, `${EVENTS} By default \`*\`.`)),
    disabled: field.optional(disabled),
  },
  { $id: 'NewWebhook', description: 'The webhook to add.', examples: [example.newWebhook] },
)
export type NewWebhook = Static<typeof NewWebhookSchema>

export const WebhookChangeSchema = field.closed(field.optionals({ url, events, disabled }), {
  $id: 'WebhookChange',
  description: 'The fields to change; omitted fields keep their values.',
  examples: [{ disabled: false }],
})
export type WebhookChange = Static<typeof WebhookChangeSchema>

export const WebhookReplaySchema = field.closed(
  {
    since: Type.String({
      maxLength: 10_000,
      description: 'A `cursor` of `GET /changes/since`: everything after it is sent again.',
    }),
  },
  {
    $id: 'WebhookReplay',
    description: 'The change after which to start again.',
    examples: [{ since: example.webhookCursor }],
  },
)

export const DeliverySchema = field.closed(
  {
    id: field.described(field.Id, 'The id of the change, and the `webhook-id` of its message.'),
    type: Type.String({ description: 'The type of the event, such as `appointment.changed`.' }),
    resource_id: field.described(field.Id, 'The resource that changed.'),
    state: Type.Enum(['waiting', 'delivered', 'failed'], {
      description: 'A failed delivery is not tried again: it failed for three days while others arrived.',
    }),
    attempts: Type.Integer({ description: 'The attempts so far.' }),
    status: field.nullable(
      Type.Integer({ description: 'The HTTP status of the last response; null if there was none.' }),
    ),
    error: field.nullable(
      Type.String({
        description:
          'Why the last attempt failed, if not by its status: `timeout`, `redirect`, `no_public_address`, or a code such as `ECONNREFUSED`.',
      }),
    ),
    next_attempt_at: field.nullable({
      ...field.Timestamp,
      description: 'The earliest time of the next attempt: UTC, RFC 3339. Null unless it waits.',
    }),
    changed_at: field.described(field.Timestamp, 'When the change was made: UTC, RFC 3339.'),
    created_at: field.described(field.Timestamp, 'When it was queued: UTC, RFC 3339.'),
    finished_at: field.nullable({
      ...field.Timestamp,
      description: 'When it was delivered or failed: UTC, RFC 3339. Null while it waits.',
    }),
    cursor: Type.String({
      description: 'The `since` of a replay that begins with this change, or up to a minute before it.',
    }),
  },
  {
    $id: 'WebhookDelivery',
    description: 'A change on its way to a receiver. Its content is in the log.',
    examples: [example.delivery],
  },
)
export type Delivery = Static<typeof DeliverySchema>

export const webhookFaultsFor = httpsFaultsFor
