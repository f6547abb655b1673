import type { Inbox, InboxEntry } from '../../src/contract/inbox.ts'
import { type Client, must } from './client.ts'

export async function readInbox(client: Client, query = ''): Promise<Inbox> {
  return must(200, await client.get(`/inbox${query}`)) as unknown as Inbox
}

export async function entriesOf(client: Client, kind: InboxEntry['kind']): Promise<readonly InboxEntry[]> {
  return (await readInbox(client)).entries.filter((entry) => entry.kind === kind)
}

/** Marks all news as seen. */
export async function lookAtAll(client: Client): Promise<void> {
  const [newest] = (await readInbox(client)).entries
  if (newest) must(200, await client.post('/inbox/seen', { until: newest.at }))
}
