import { Authenticator } from './authenticator.ts'
import { type Answer, type Client, type Headings, must, type Reached } from './client.ts'
import { PASSWORD, type User } from './factory.ts'
import { bearer, type LoggedIn } from './session.ts'

/** Returns the address of the service for a browser on this machine: by name, as passkeys require. */
export function originOf({ url }: Reached): string {
  return url.replace('127.0.0.1', 'localhost')
}

/** Returns a client that acts in the session. */
export function inSession({ client, token }: Pick<LoggedIn, 'client' | 'token'>): Client {
  return client.with(bearer(token))
}

/** Adds a passkey to the session's user. */
export async function aPasskey(
  service: Reached,
  session: LoggedIn,
  { name = 'Laptop', isSynced = false } = {},
): Promise<{ device: Authenticator; id: string }> {
  const device = new Authenticator(originOf(service), { isSynced })
  const client = inSession(session)
  const options = must(200, await client.post('/auth/passkeys/options'))
  const { id } = must(
    201,
    await client.post('/auth/passkeys', { name, credential: device.register(options) }),
  )
  return { device, id }
}

/** Adds a passkey and makes it the second factor, so that the password is not enough. */
export async function aSecondFactor(service: Reached, session: LoggedIn) {
  const passkey = await aPasskey(service, session)
  must(200, await inSession(session).patch('/auth/second-factor', { enabled: true }))
  return passkey
}

/** Logs in with only a device's passkey. */
export async function logInWith(
  device: Authenticator,
  client: Client,
  headers: Headings = {},
  oddity: Parameters<Authenticator['answer']>[1] = {},
): Promise<Answer> {
  const options = must(200, await client.post('/auth/login/passkey/options'))
  return client.post('/auth/login/passkey', device.answer(options, oddity), headers)
}

/** Logs in with the password. Returns the options for the second factor, which must be required. */
export async function secondStepOf(client: Client, { email }: User): Promise<{ challenge: string }> {
  const answer = await client.post('/auth/login', { email, password: PASSWORD })
  if (answer.body.code !== 'second_factor_required') throw new Error(answer.text)
  return answer.body.params.options
}
