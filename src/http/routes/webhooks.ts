import { Type } from 'typebox'
import type { Intent } from '../../booking/expected-version.ts'
import {
  addWebhook,
  changeWebhook,
  deleteWebhook,
  replayWebhook,
  withSecret,
} from '../../booking/school/webhooks.ts'
import { ref } from '../../contract/fields.ts'
import { notFound } from '../../contract/problem.ts'
import {
  type Delivery,
  DeliverySchema,
  MadeWebhookSchema,
  NewWebhookSchema,
  type WebhookChange,
  WebhookChangeSchema,
  WebhookReplaySchema,
  WebhookSchema,
  webhookFaultsFor,
} from '../../contract/webhook.ts'
import { finishedList } from '../../db/json-list.ts'
import { listDeliveries } from '../../db/webhooks/webhook-deliveries.ts'
import { findWebhook, hasWebhook, listWebhooks } from '../../db/webhooks/webhooks.ts'
import { operation } from '../operation.ts'
import { cursorAt, positionIn } from '../requests/change-cursor.ts'
import { makeOnce } from '../requests/idempotency.ts'
import { pathId } from '../requests/path-id.ts'
import { requireReceiver } from '../requests/public-receiver.ts'
import { resourceRoutes } from '../resource-routes.ts'
import { sendVersioned } from '../responses/entity-tag.ts'
import { pageParameters, sendList } from '../responses/list-reply.ts'
import { BODY, readable, responses } from '../responses/responses.ts'
import { creates } from '../route-schemas.ts'
import type { App, Service } from '../service.ts'

const params = pathId('webhook')

export function webhookRoutes(app: App, service: Service): void {
  const { addresses } = service
  resourceRoutes(app, service, {
    path: '/webhooks',
    tag: 'webhooks',
    noun: 'webhook',
    reads: 'run_the_school',
    writes: 'run_the_school',
    rows: WEBHOOKS,
    list: {
      run: (db, { tenant }) => listWebhooks(db, tenant.id),
      refuses: [403],
      operationId: 'listWebhooks',
      summary: 'List the webhooks of the school, oldest first',
      description: 'Only for owners. The secrets are not shown again.',
    },
    get: {
      run: (db, { tenant }, id) => findWebhook(db, tenant.id, id),
      refuses: [403],
      operationId: 'getWebhook',
      summary: 'Read a webhook',
      description: 'Only for owners. The secret is not shown again.',
    },
    change: {
      run: async (db, actor, id, intent: Intent<WebhookChange>) => {
        if (!(await hasWebhook(db, actor.tenant.id, id))) throw notFound()
        if (intent.change.url !== undefined) await requireReceiver(addresses, intent.change.url)
        return changeWebhook(db, actor, id, intent)
      },
      faultsFor: webhookFaultsFor,
      operationId: 'changeWebhook',
      summary: 'Change, disable or enable a webhook',
      description:
        'Send only the fields to change. Waiting deliveries of types that are no longer among `events` are dropped. An enabled webhook continues where it stopped; `disabled_reason` is set if the service disabled it.',
    },
    remove: {
      run: deleteWebhook,
      operationId: 'deleteWebhook',
      summary: 'Delete a webhook and its waiting deliveries',
      description: 'To pause it without losing changes, disable it instead.',
    },
  })
  deliveryRoute(app, service)
  writingRoutes(app, service)
}

const WEBHOOKS = { schema: WebhookSchema, change: WebhookChangeSchema }

function deliveryRoute(app: App, { db }: Service): void {
  app.get(
    '/webhooks/:id/deliveries',
    operation('webhooks', {
      permission: 'run_the_school',
      operationId: 'listWebhookDeliveries',
      summary: 'List the sent and waiting deliveries of a webhook, newest first',
      description:
        'Finished deliveries are listed for 30 days. Their content is in the history, under the same id.',
      returns: 'The deliveries, or a page of them.',
      params,
      querystring: Type.Object(pageParameters, { additionalProperties: false }),
      response: readable(Type.Array(ref(DeliverySchema)), 401, 403, 404),
    }),
    async (request, reply) => {
      const { actor, params } = request
      if (!(await hasWebhook(db, actor.tenant.id, params.id))) throw notFound()
      const deliveries = listDeliveries(db, actor.tenant.id, params.id)
      return sendList(request, reply, finishedList(deliveries, withCursor))
    },
  )
}

function withCursor(delivery: Omit<Delivery, 'cursor'>): Delivery {
  return { ...delivery, cursor: cursorAt(delivery.changed_at) }
}

function writingRoutes(app: App, service: Service): void {
  const { db, addresses, webhookSecrets: secrets } = service
  app.post(
    '/webhooks',
    operation('webhooks', {
      permission: 'run_the_school',
      faultsFor: webhookFaultsFor,
      operationId: 'addWebhook',
      summary: 'Add a webhook, which is sent every change from now on',
      description:
        'Only for owners. The response has the secret, which is shown only once (and to a retry with the same `Idempotency-Key`). 400 for an address that is private, loopback, link-local or unknown to DNS.',
      returns: 'The webhook as stored, and its secret.',
      ...creates(NewWebhookSchema, MadeWebhookSchema, 403, 404),
    }),
    async (request, reply) => {
      const { actor, body } = request
      const { value: webhook, json } = await makeOnce(service, request, async (key) => {
        await requireReceiver(addresses, body.url)
        return addWebhook(db, actor, { fields: body, secrets }, key)
      })
      const made = await withSecret(db, actor, webhook, secrets)
      reply.code(201).header('location', `${request.routeOptions.url}/${made.id}`)
      if (json !== undefined) reply.header('idempotency-replayed', 'true')
      return sendVersioned(reply, made)
    },
  )

  app.post(
    '/webhooks/:id/replay',
    operation('webhooks', {
      permission: 'run_the_school',
      operationId: 'replayWebhook',
      summary: 'Send all changes after a cursor again',
      description:
        'Take the cursor from `GET /changes/since`. The messages have the same ids as before. Deliveries that still wait are sent as well, even from before the cursor. Nothing is sent while the webhook is disabled.',
      returns: 'The webhook.',
      params,
      body: ref(WebhookReplaySchema),
      response: responses({ 200: ref(WebhookSchema) }, 401, 403, 404, ...BODY),
    }),
    async ({ actor, params, body }) => replayWebhook(db, actor, params.id, positionIn(body.since, '/since')),
  )
}
