import type { McpServerFactory } from '@modelcontextprotocol/server'
import type { FastifyRequest } from 'fastify'
import { ReadingApi, type SendToApi } from '../../assistant/api.ts'
import { Problem } from '../../contract/problem.ts'
import { VERSION } from '../../version.ts'
import { onFirstUse } from '../on-first-use.ts'
import { authenticate } from '../requests/authenticate.ts'
import { publicUrl } from '../requests/public-url.ts'
import { API_PREFIX, type App, type Service } from '../service.ts'

/** The address at which assistants reach the tools, by the Model Context Protocol over HTTP. */
export const ASSISTANT_PATH = '/mcp'

const library = onFirstUse(async () => {
  const [{ createMcpHandler }, { assistantServer }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('../../assistant/server.ts'),
  ])
  return (factory: (server: typeof assistantServer) => ReturnType<McpServerFactory>) =>
    createMcpHandler(() => factory(assistantServer), { responseMode: 'json' })
})

/**
 * Serves the tools of assistants. A token is needed in the header, never a cookie: a page of another origin cannot use the
 * browser's login. Each tool sends requests to the API with that token, so that roles, schools, limits and queues hold as for any
 * other program.
 */
export function assistantRoutes(app: App, service: Service): void {
  app.addHook('onRequest', async (request) => {
    requireKnownOrigin(request, app, service)
    if (request.headers.authorization === undefined) throw new Problem('unauthenticated')
    await authenticate(request, service)
  })

  app.post(
    ASSISTANT_PATH,
    { config: { permission: 'be_oneself', reads: true }, schema: { hide: true } },
    async (request, reply) => {
      const serve = await library()
      const appUrl = publicUrl(app, service)
      const context = { api: new ReadingApi(senderFor(app, request)), appUrl }
      const handler = serve((assistantServer) => assistantServer(context, VERSION))
      const answer = await handler.fetch(webRequestOf(request, appUrl), { parsedBody: request.body })
      reply.code(answer.status).header('cache-control', 'no-store')
      const type = answer.headers.get('content-type')
      if (type) reply.header('content-type', type)
      return reply.send(await answer.text())
    },
  )
}

/** Throws `forbidden` for a page of an origin that is neither the app's nor listed, as the protocol demands. */
function requireKnownOrigin({ headers: { origin } }: FastifyRequest, app: App, service: Service): void {
  if (origin === undefined || service.config.corsOrigins.includes(origin)) return
  if (origin !== publicUrl(app, service)) throw new Problem('forbidden')
}

/** Returns the function that sends the tools' requests to the API within this process, with the caller's token and address. */
function senderFor(app: App, { headers, ip }: FastifyRequest): SendToApi {
  const { authorization = '', host = '' } = headers
  return async ({ method, path, body }) => {
    const answer = await app.inject({
      method,
      url: API_PREFIX + path,
      headers: { authorization, host },
      remoteAddress: ip,
      ...(body !== undefined && { payload: body as object }),
    })
    const { link } = answer.headers
    return {
      status: answer.statusCode,
      body: answer.json(),
      link: typeof link === 'string' ? link : undefined,
    }
  }
}

function webRequestOf({ headers }: FastifyRequest, base: string): Request {
  const given = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' && name !== 'authorization' ? [[name, value] as [string, string]] : [],
  )
  return new Request(base + ASSISTANT_PATH, { method: 'POST', headers: given })
}
