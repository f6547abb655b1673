import { hashPassword } from '../../src/auth/password.ts'
import { setDisabled } from '../../src/db/accounts/users.ts'
import { inTransaction } from '../../src/db/connection/transaction.ts'
import type { TestService } from './app.ts'
import { Client, type Headings, must, type Reached } from './client.ts'
import { anActor, aUser, logIn, type School, type User } from './factory.ts'

/** A user who has just logged in. `client` carries no credentials of its own. */
export type LoggedIn = {
  readonly user: User
  readonly client: Client
  readonly token: string
  readonly refreshToken: string
}

/** Makes a user of a tenant and logs in. The access token has not been used yet. */
export async function aLogin(service: TestService, tenantId: string): Promise<LoggedIn> {
  return loginOf(service, await aUser(service, tenantId))
}

/** Logs a user in once more, from a new address. */
export async function loginOf(service: Reached, user: User): Promise<LoggedIn> {
  const client = new Client(service)
  const { token, refresh_token: refreshToken } = await logIn(client, user.email)
  return { user, client, token, refreshToken }
}

/** Makes a user with this password, whose hash costs as much as the service's. */
export function aUserWithPassword(service: TestService, tenantId: string, password: string): Promise<User> {
  return aUser(service, tenantId, { name: 'Ben Office', hash: hashPassword(password) })
}

/** Disables a user, or enables it again, and leaves the user's sessions as they are. */
export async function setUserDisabled(
  service: TestService,
  tenantId: string,
  userId: string,
  disabled: boolean,
): Promise<void> {
  const actor = await anActor(service, tenantId)
  await inTransaction(service.db, (db) => setDisabled(db, actor, userId, disabled))
}

/** Logs the school's user in anew. The service has cached the session, so that the next requests need no statement for it. */
export async function aCachedLogin(service: TestService, { user }: School): Promise<Client> {
  const { token } = await loginOf(service, user)
  const client = new Client(service, bearer(token))
  must(200, await client.get('/auth/me'))
  return client
}

export function bearer(token: string): Headings {
  return { authorization: `Bearer ${token}` }
}

export function accessCookie(token: string): Headings {
  return { cookie: `svc_jwt=${token}` }
}

export function refreshCookie(token: string): Headings {
  return { cookie: `svc_refresh=${token}` }
}

/** Returns the status of a request that requires a token, sent with this one. */
export async function statusWith(client: Client, token: string): Promise<number> {
  return (await client.get('/auth/me', bearer(token))).status
}
