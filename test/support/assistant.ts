import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { must, type Reached } from './client.ts'
import { inSession } from './passkeys.ts'
import type { LoggedIn } from './session.ts'

export type ToolResult = { readonly isError: boolean; readonly text: string; readonly data: never }

/** Makes an API token of the session's user. */
export async function apiTokenOf(
  session: LoggedIn,
  given: { readonly role?: string; readonly scope?: string; readonly expires_in_days?: number } = {},
): Promise<string> {
  const body = { name: 'Assistant', role: 'owner', scope: 'read', expires_in_days: 1, ...given }
  return must(201, await inSession(session).post('/auth/tokens', body)).token
}

/** Connects an assistant over HTTP. The caller closes it. */
export async function assistantAt({ url }: Reached, token: string): Promise<McpClient> {
  const client = new McpClient({ name: 'test', version: '1' })
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit }))
  return client
}

/** Calls a tool. The data are those below the line that says what they are. */
export async function callTool(
  client: McpClient,
  name: string,
  given: Readonly<Record<string, unknown>> = {},
): Promise<ToolResult> {
  const { content, isError = false } = await client.callTool({ name, arguments: given })
  const [part] = content as readonly { readonly type: string; readonly text: string }[]
  const text = part?.text ?? ''
  const json = text.slice(text.indexOf('\n') + 1)
  return {
    isError,
    text,
    data: (json.startsWith('{') || json.startsWith('[') ? JSON.parse(json) : {}) as never,
  }
}
