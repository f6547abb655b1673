import type { FastifyReply, FastifyRequest } from 'fastify'
import { notFound, Problem } from '../../contract/problem.ts'
import { authenticate } from '../requests/authenticate.ts'
import { API_PREFIX, type App, type Service } from '../service.ts'

/** A known address: the methods it takes, and whether it needs a token. */
type Address = { readonly pattern: RegExp; readonly methods: Set<string>; readonly open: boolean }

/** Shows a page in place of the problem, and returns whether it has. */
type ShowPage = (request: FastifyRequest, reply: FastifyReply) => boolean

/** Refuses unknown routes before their body: 401 below the API without a token, 405 with `Allow`, else 404, to people as a page. */
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
    // A deleted file of the web app: the address takes the method but has no content.
    if (matching.length === 0 || methods.has(request.method)) throw notFound()
    reply.header('allow', [...methods].join(', '))
    throw new Problem('method_not_allowed')
  }
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404) await refuse(request, reply)
  })
  app.setNotFoundHandler(refuse)
}
