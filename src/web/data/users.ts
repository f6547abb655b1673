import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { NewUser, PasswordLink, SchoolUser, UserChange } from '../../contract/user.ts'
import { conditionalGet } from './conditional-get.ts'
import { fetchApi, fetchJson } from './fetch-api.ts'
import { ApiProblem, bodyOf } from './send.ts'
import { type Edit, postOnce, Stale, type WriteContext } from './write-queue.ts'

/** The school's users; refetched when the page opens, because logins are not in the feed. */
export const users = queryOptions({
  queryKey: ['users'],
  queryFn: (context) => conditionalGet<readonly SchoolUser[]>('/users', context),
  // The delivery of mails is not in the feed either.
  refetchInterval: ({ state }) =>
    state.data?.some(({ mail }) => mail?.state === 'waiting') ? 10_000 : false,
})

/** Invites a user; the link is shown only once. Throws `ApiProblem` or `Unreachable`. */
export async function inviteUser(
  body: NewUser,
  { client }: WriteContext,
): Promise<{ readonly user: SchoolUser; readonly invitation: PasswordLink }> {
  const answer = await postOnce('/users', body)
  void client.invalidateQueries({ queryKey: users.queryKey })
  return bodyOf(answer)
}

/** The user of a new link, and the corrected address of an invitation. */
export type LinkRequest = {
  readonly user: Pick<SchoolUser, 'id' | 'state'>
  readonly email?: string
}

/** Creates a link to accept an invitation or reset a password. Throws `ApiProblem` or `Unreachable`. */
export async function makePasswordLink(
  { user: { id, state }, ...body }: LinkRequest,
  { client }: WriteContext,
): Promise<PasswordLink> {
  const request = state === 'invited' ? { body } : {}
  const kind = state === 'invited' ? 'invitation' : 'password-reset'
  const link = await fetchJson<PasswordLink>(`/users/${id}/${kind}`, { method: 'POST', ...request })
  void client.invalidateQueries({ queryKey: users.queryKey })
  return link
}

/** Deletes an invited user. Throws `ApiProblem` or `Unreachable`. */
export async function withdrawInvitation(
  { id }: Pick<SchoolUser, 'id'>,
  { client }: WriteContext,
): Promise<void> {
  try {
    await fetchApi(`/users/${id}`, { method: 'DELETE' })
  } catch (error) {
    // Another user has already withdrawn it.
    if (!(error instanceof ApiProblem && error.is('not_found'))) throw error
  } finally {
    void client.invalidateQueries({ queryKey: users.queryKey })
  }
}

/** Changes a user unless another user has. Throws `Stale`, `ApiProblem` or `Unreachable`. */
export async function changeUser(
  { seen, change }: Edit<SchoolUser, UserChange>,
  { client }: WriteContext,
): Promise<SchoolUser> {
  try {
    const headers = { 'if-match': `"${seen.version}"` }
    const answer = await fetchApi(`/users/${seen.id}`, { method: 'PATCH', body: change, headers })
    return await bodyOf(answer)
  } catch (error) {
    if (!(error instanceof ApiProblem && error.is('stale'))) throw error
    throw new Stale((await currentUser(client, seen.id)) ?? seen)
  } finally {
    void client.invalidateQueries({ queryKey: users.queryKey })
  }
}

/** Refetches all users and returns one of them. Throws `ApiProblem` or `Unreachable`. */
export async function currentUser(client: QueryClient, userId: string): Promise<SchoolUser | undefined> {
  const all = await client.fetchQuery({ ...users, staleTime: 0 })
  return all.find(({ id }) => id === userId)
}
