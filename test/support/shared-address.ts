import type { TestService } from './app.ts'
import { Client, must } from './client.ts'
import { aSchool, aUser, cheapHash, PASSWORD, type School, type User } from './factory.ts'
import { newEmail } from './invitations.ts'
import { bearer } from './session.ts'

/** A person's user at one school, which somebody else owns. */
export type Membership = { readonly school: School; readonly user: User }

/** Makes a user of a new school for each password, all with one e-mail address. */
export async function aPersonAt(
  service: TestService,
  passwords: readonly string[],
  email = newEmail(),
): Promise<Membership[]> {
  const memberships: Membership[] = []
  for (const [index, password] of passwords.entries()) {
    const school = await aSchool(service, { name: `School ${index}` })
    const name = `User ${index}`
    const hash = cheapHash(password)
    memberships.push({
      school,
      user: await aUser(service, school.tenantId, { name, email, hash, role: 'office' }),
    })
  }
  return memberships
}

export type Entered = { readonly client: Client; readonly token: string; readonly refresh: string }

/** Logs in and returns a client in the session. */
export async function enterWith(service: TestService, email: string, password = PASSWORD): Promise<Entered> {
  const visitor = new Client(service)
  const { body, status, text } = await visitor.post('/auth/login', { email, password })
  if (status !== 200) throw new Error(`login answered ${status}: ${text}`)
  return { client: visitor.with(bearer(body.token)), token: body.token, refresh: body.refresh_token }
}

/** Returns the ids of the schools that a session lists, and of its current one. */
export async function schoolsOf(client: Client): Promise<{ all: string[]; current: string | undefined }> {
  const listed: { id: string; is_current: boolean }[] = must(200, await client.get('/auth/schools'))
  return { all: listed.map(({ id }) => id), current: listed.find(({ is_current }) => is_current)?.id }
}
