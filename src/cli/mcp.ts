import { ReadingApi, type SendToApi } from '../assistant/api.ts'
import { VERSION } from '../version.ts'
import { CommandFailure, type ProcessCommand, requiredOption, UsageError } from './command.ts'

const TIMEOUT_MS = 30_000

export const mcp: ProcessCommand = {
  kind: 'process',
  name: 'mcp',
  summary: 'Give an assistant the tools of a school, by the Model Context Protocol on stdin and stdout.',
  options: {
    url: {
      type: 'string',
      value: 'URL',
      help: 'The address of the service, such as https://fahrplan.example',
      required: true,
    },
  },
  run: async ({ env, values }) => {
    const base = addressIn(requiredOption(values, 'url'))
    const token = env.FAHRPLAN_TOKEN
    if (!token)
      throw new UsageError('mcp: FAHRPLAN_TOKEN is not set; make an API token in the app, under My account')
    const context = { api: new ReadingApi(senderFor(base, token)), appUrl: base }
    // A wrong token or address fails the start, instead of every tool.
    await context.api.get('/auth/me').catch((error: Error) => {
      throw new CommandFailure(`mcp: ${base} does not accept the token: ${error.message}`)
    })
    const [{ serveStdio }, { assistantServer }] = await Promise.all([
      import('@modelcontextprotocol/server/stdio'),
      import('../assistant/server.ts'),
    ])
    serveStdio(() => assistantServer(context, VERSION))
  },
}

function addressIn(text: string): string {
  const url = URL.parse(text)
  const isPlain = url?.hostname === 'localhost' || url?.hostname === '127.0.0.1'
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isPlain)) return url.origin
  throw new UsageError(`mcp: --url must begin with https:, not ${text}; http: is only for this machine`)
}

/** Returns the function that sends the tools' requests to the service. */
function senderFor(base: string, token: string): SendToApi {
  return async ({ method, path, body }) => {
    const answer = await fetch(`${base}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: 'error',
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: await answer.json(), link: answer.headers.get('link') ?? undefined }
  }
}
