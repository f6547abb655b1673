import type { Answer, Client } from './client.ts'
import type { School } from './factory.ts'

/** Returns the part of a link's address after `#`. */
export function tokenIn(url: string): string {
  return new URL(url).hash.slice(1)
}

/** Returns an e-mail address that no user has. */
export function newEmail(): string {
  return `${crypto.randomUUID()}@school.example`
}

/** Invites a user. Returns the user and the token of the invitation. */
export async function anInvitation(
  { client }: Pick<School, 'client'>,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<{ readonly id: string; readonly email: string; readonly token: string }> {
  const body = { email: newEmail(), name: 'Ida Invited', role: 'office', ...fields }
  const answer = await client.post('/users', body)
  if (answer.status !== 201) throw new Error(`expected 201, got ${answer.status}: ${answer.text}`)
  const { user, invitation } = answer.body
  return { id: user.id, email: user.email, token: tokenIn(invitation.url) }
}

/** Accepts an invitation with a password. */
export function accept(client: Client, token: string, password: string): Promise<Answer> {
  return client.post(`/auth/invitations/${token}`, { password })
}
