import { randomUUID } from 'node:crypto'
import { hashPassword } from '../../src/auth/password.ts'
import { insertUser } from '../../src/db/users.ts'
import type { TestService } from './app.ts'
import { Client, type Headings } from './client.ts'
import { aUser, logIn, type User } from './factory.ts'

/** A user who has just logged in. `client` carries no credentials of its own. */
export type LoggedIn = {
  readonly user: User
  readonly client: Client
  readonly token: string
  readonly refreshToken: string
}

/** A new user of a tenant, logged in; the access token has not been used yet. */
export async function aLogin(service: TestService, tenantId: string): Promise<LoggedIn> {
  return loginOf(service, await aUser(service, tenantId))
}

/** One more session of a user, from an address of its own. */
export async function loginOf(service: TestService, user: User): Promise<LoggedIn> {
  const client = new Client(service)
  const { token, refresh_token: refreshToken } = await logIn(client, user.email)
  return { user, client, token, refreshToken }
}

/** A user with a password other than the tests' usual one. */
export async function aUserWithPassword(
  service: TestService,
  tenantId: string,
  password: string,
): Promise<User> {
  const user = { id: randomUUID(), email: `${randomUUID()}@school.example` }
  const password_hash = await hashPassword(password)
  await insertUser(service.db, { ...user, tenant_id: tenantId, name: 'Ben Office', password_hash })
  return user
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

/** The status that a token gets where one is wanted. */
export async function statusWith(client: Client, token: string): Promise<number> {
  return (await client.get('/auth/me', bearer(token))).status
}
