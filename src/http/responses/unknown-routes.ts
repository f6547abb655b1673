import type { FastifyReply, FastifyRequest } from 'fastify'
import { notFound, Problem } from '../../contract/problem.ts'
import { authenticate } from '../requests/authenticate.ts'
import { API_PREFIX, type App, type Service } from '../service.ts'

/** A known address: the methods it accepts, and whether it needs no token. */
type Address = { readonly pattern: RegExp; readonly methods: Set<string>; readonly open: boolean }

/** A function that sends a page instead of the problem, and returns whether it did. */
type ShowPage = (request: FastifyRequest, reply: FastifyReply) => boolean

/** Rejects unknown routes before their body: 401 in the API without a token, 405 with `Allow`, else 404, for people as a page. */
export function refuseUnknownRoutes(app: App, service: Service, showPage: ShowPage): void {
  const addresses = new Map<string, Address>()
  app.addHook('onRoute', ({ url, method, config }) => {
    if (url === '*') return
    const pattern = new RegExp(`^${url.replace(/:\w+/g, '[^/]+').replace(/\*$/, '.*')}$`)
    const address = addresses.get(url) ?? { pattern, methods: new Set(), open: config?.open ?? false }
    for (const one of [method].flat()) address.methods.add(one)
    addresses.set(url, address)
  })
  const refuse = async (request: FastifyRequest, reply: FastifyReply) => {
    const path = request.url.split('?')[0] ?? ''
    const matching = [...addresses.values()].filter(({ pattern }) => pattern.test(path))
    const methods = new Set(matching.flatMap((address) => [...address.methods]))
    const isApi = path === API_PREFIX || path.startsWith(`${API_PREFIX}/`)
    if (isApi && !matching.some(({ open }) => open)) await authenticate(request, service)
    if (matching.length === 0 && showPage(request, reply)) return reply
    // The method is right but there is no content, as for a deleted file of the web app.
    if (matching.length === 0 || methods.has(request.method)) throw notFound()
    reply.header('allow', [...methods].join(', '))
    throw new Problem('method_not_allowed')
  }
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404) await refuse(request, reply)
  })
  app.setNotFoundHandler(refuse)
}
