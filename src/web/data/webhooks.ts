import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Delivery, MadeWebhook, NewWebhook, Webhook, WebhookChange } from '../../contract/webhook.ts'
import { conditionalGet } from './conditional-get.ts'
import { fetchApi } from './fetch-api.ts'
import { followedQuery } from './followed-get.ts'
import { refetch } from './patch-read.ts'
import { bodyOf } from './send.ts'
import { postOnce, type WriteContext } from './write-queue.ts'

const PATH = '/webhooks'
const KEY = 'webhooks'
const SHOWN = 50

export const webhooksOfSchool = followedQuery<readonly Webhook[]>([KEY], PATH)

/** Queries the newest deliveries; refetched while they are shown, because they are not in the feed. */
export function newestDeliveries(id: string) {
  return queryOptions({
    queryKey: ['deliveries', id],
    queryFn: (context) =>
      conditionalGet<readonly Delivery[]>(`${PATH}/${id}/deliveries?limit=${SHOWN}`, context),
    refetchInterval: 5_000,
  })
}

/** Adds a webhook; its secret is shown only once. Throws `ApiProblem` or `Unreachable`. */
export async function addWebhook(body: NewWebhook, { client }: WriteContext): Promise<MadeWebhook> {
  const answer = await postOnce(PATH, body)
  const made: MadeWebhook = await bodyOf(answer)
  await refetchWebhooks(client)
  return made
}

/** Enables or disables a webhook unless it has changed. Throws `ApiProblem` or `Unreachable`. */
export async function switchWebhook(
  { id, version, disabled }: Webhook,
  { client }: WriteContext,
): Promise<void> {
  const body: WebhookChange = { disabled: !disabled }
  await fetchApi(`${PATH}/${id}`, { method: 'PATCH', body, headers: { 'if-match': `"${version}"` } })
  await refetchWebhooks(client)
}

/** Deletes a webhook unless it has changed. Throws `ApiProblem` or `Unreachable`. */
export async function deleteWebhook({ id, version }: Webhook, { client }: WriteContext): Promise<void> {
  await fetchApi(`${PATH}/${id}`, { method: 'DELETE', headers: { 'if-match': `"${version}"` } })
  await refetchWebhooks(client)
}

type Replay = { readonly webhook: Webhook; readonly since: string }

/** Resends all changes from a delivery on. Throws `ApiProblem` or `Unreachable`. */
export async function replayWebhook({ webhook, since }: Replay, { client }: WriteContext): Promise<void> {
  await fetchApi(`${PATH}/${webhook.id}/replay`, { method: 'POST', body: { since } })
  await client.invalidateQueries({ queryKey: newestDeliveries(webhook.id).queryKey })
}

function refetchWebhooks(client: QueryClient): Promise<void> {
  return refetch(client, { queryKey: [KEY] })
}
