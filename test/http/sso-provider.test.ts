import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { useOwnService } from '../support/app.ts'
import { Client, must } from '../support/client.ts'
import { aSchool, type School } from '../support/factory.ts'
import { CLIENT } from '../support/issuer.ts'
import { inSession } from '../support/passkeys.ts'
import { aLogin, bearer, loginOf } from '../support/session.ts'
import { begin, complete } from '../support/sso.ts'

const service = useOwnService({ webhookAllowedNetworks: ['127.0.0.1'] })
let server: Server
let issuer: string
let school: School

/** A browser that keeps cookies and fills in the forms of the issuer's pages. */
class Visitor {
  readonly #cookies = new Map<string, string>()

  /** Opens an address of the issuer, logs in as this person where it asks, and returns the address where it ends. */
  async visit(url: string, login: string, form?: Readonly<Record<string, string>>): Promise<string> {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...this.#cookies].map((pair) => pair.join('=')).join('; ') },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      this.#cookies.set(name, value)
    }
    const location = response.headers.get('location')
    if (location !== null) {
      const next = new URL(location, url).href
      return next.startsWith(issuer) ? this.visit(next, login) : next
    }
    const text = await response.text()
    const [, action] = /<form[^>]* action="([^"]+)"/.exec(text) ?? []
    if (action === undefined) return url
    const fields = [...text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)]
    const hidden = Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value]))
    return this.visit(new URL(action, url).href, login, { ...hidden, login, password: 'x', logout: 'yes' })
  }
}

beforeAll(async () => {
  school = await aSchool(service())
  let listener: RequestListener = (_, response) => response.writeHead(503).end()
  server = createServer((request, response) => listener(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  // Its package has no types.
  const { default: Provider } = await import('oidc-provider' as string)
  const provider = new Provider(issuer, {
    clients: [
      {
        ...CLIENT,
        redirect_uris: [`${service().url}/sso/callback`],
        backchannel_logout_uri: `${service().url}/sso/logout/${school.tenantId}`,
        backchannel_logout_session_required: true,
      },
    ],
    cookies: { keys: ['a key of the test'] },
    features: { backchannelLogout: { enabled: true }, devInteractions: { enabled: true } },
    findAccount: (_: unknown, accountId: string) => ({ accountId, claims: () => ({ sub: accountId }) }),
    // Without its own protection, which lets it tell nobody on this machine.
    fetch: (url: string, { dispatcher: _, ...options }: { dispatcher: unknown }) => fetch(url, options),
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: 'one' }] },
    pkce: { required: () => true },
  })
  listener = provider.callback()
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

it('works with oidc-provider: link, login, and logout at the issuer (S115)', {
  tags: 'embedded',
}, async () => {
  const owner = await loginOf(service(), school.user)
  const given = { issuer, ...CLIENT, required: false }
  must(200, await inSession(owner).put('/auth/identity-provider', given))
  const session = await aLogin(service(), school.tenantId)
  const [own, visitor] = [inSession(session), new Visitor()]

  const link = await begin(own, undefined, '/auth/identity/options')
  const { search } = new URL(await visitor.visit(link.url, 'ida'))
  must(200, await own.post('/auth/identity', { parameters: search.slice(1) }, link.cookie))

  const client = new Client(service())
  const way = await begin(client, { school: school.tenantId })
  const back = new URL(await visitor.visit(way.url, 'ida'))
  expect(`${back.origin}${back.pathname}`).toBe(`${service().url}/sso/callback`)
  const { token } = must(200, await complete(client, way, back.searchParams))
  const there = new Client(service(), bearer(token))
  expect((await there.get('/auth/me')).body.id).toBe(session.user.id)

  await visitor.visit(`${issuer}/session/end`, 'ida')
  await expect.poll(async () => (await there.get('/auth/me')).status).toBe(401)
  expect((await own.get('/auth/me')).status).toBe(200)
})
