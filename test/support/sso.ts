import { type Answer, Client, type Headings, must, type Reached } from './client.ts'
import type { School } from './factory.ts'
import { CLIENT, type TestIssuer } from './issuer.ts'
import { inSession } from './passkeys.ts'
import type { LoggedIn } from './session.ts'

/** A browser on its way to an issuer: the address there, and its cookie. */
export type BegunLogin = { readonly url: string; readonly cookie: Headings }

/** Sets the school's identity provider, by an owner. */
export function setProvider(
  owner: Pick<LoggedIn, 'client' | 'token'>,
  issuer: TestIssuer,
  more: object = {},
): Promise<Answer> {
  return inSession(owner).put('/auth/identity-provider', {
    ...{ issuer: issuer.url, ...CLIENT, required: false },
    ...more,
  })
}

/** Begins a login or a link. Returns the address at the issuer and the browser's cookie. */
export async function begin(client: Client, body?: object, path = '/auth/sso'): Promise<BegunLogin> {
  return wayOf(await client.post(path, body))
}

export function wayOf(answer: Answer): BegunLogin {
  const { url } = must(200, answer)
  const [cookie = ''] = answer.headers.getSetCookie()
  return { url, cookie: { cookie: cookie.split(';')[0] ?? '' } }
}

/** Logs in at the school's issuer as a person there. */
export async function enterBySso(
  service: Reached,
  { tenantId }: Pick<School, 'tenantId'>,
  { issuer, subject }: { readonly issuer: TestIssuer; readonly subject: string },
): Promise<Answer> {
  const client = new Client(service)
  const way = await begin(client, { school: tenantId })
  return complete(client, way, issuer.answer(way.url, subject))
}

export function complete(
  client: Client,
  { cookie }: BegunLogin,
  parameters: URLSearchParams,
): Promise<Answer> {
  return client.post('/auth/sso/callback', { parameters: String(parameters) }, cookie)
}

/** Links the session's user to a person at the issuer. */
export async function linkTo(
  session: Pick<LoggedIn, 'client' | 'token'>,
  { issuer, subject }: { readonly issuer: TestIssuer; readonly subject: string },
): Promise<Answer> {
  const own = inSession(session)
  const way = await begin(own, undefined, '/auth/identity/options')
  const parameters = String(issuer.answer(way.url, subject))
  return own.post('/auth/identity', { parameters }, way.cookie)
}
