import { queryOptions } from '@tanstack/react-query'
import type { Static } from 'typebox'
import type {
  IdentityProvider,
  IdentitySchema,
  NewIdentityProvider,
  SsoSchoolSchema,
} from '../../contract/identity-provider.ts'
import { ACCOUNT } from './account.ts'
import { fetchApi, fetchJson } from './fetch-api.ts'
import { ApiProblem, send } from './send.ts'
import { logInAt } from './session.ts'

/** The `localStorage` key of the school at whose issuer this browser logged in last; not a secret. */
const SCHOOL = 'fahrplan.sso'

const PROVIDER = ['identity-provider'] as const

/** The school's identity provider; null if there is none. */
export const identityProvider = queryOptions({
  queryKey: PROVIDER,
  queryFn: ({ signal }) => foundAt<IdentityProvider>('/auth/identity-provider', signal),
})

/** The user's link to a person at the issuer; null if there is none. */
export const ownIdentity = queryOptions({
  queryKey: [...ACCOUNT, 'identity'],
  queryFn: ({ signal }) => foundAt<Static<typeof IdentitySchema>>('/auth/identity', signal),
})

/** The school and issuer of a login page; null if the school has none. */
export const ssoSchool = (school: string) =>
  queryOptions({
    queryKey: ['sso', school],
    queryFn: async (): Promise<Static<typeof SsoSchoolSchema> | null> => {
      try {
        return await (await send(`/auth/sso/${encodeURIComponent(school)}`)).json()
      } catch (error) {
        if (error instanceof ApiProblem && error.is('not_found')) return null
        throw error
      }
    },
  })

/** Returns the school at whose issuer this browser logged in last. */
export function lastSsoSchool(): string | undefined {
  return localStorage.getItem(SCHOOL) ?? undefined
}

/** Goes to the issuer, which sends the browser back to the callback page. */
export async function goToIssuer(
  body: { readonly school: string } | { readonly invitation: string },
): Promise<void> {
  const response = await send('/auth/sso', { method: 'POST', body })
  if ('school' in body) localStorage.setItem(SCHOOL, body.school)
  location.assign((await response.json()).url)
}

export async function goToLink(): Promise<void> {
  const { url } = await fetchJson<{ url: string }>('/auth/identity/options', { method: 'POST' })
  location.assign(url)
}

/** Completes the way back from the issuer. Returns the page to show then. */
export async function completeSso(parameters: string): Promise<'/' | '/account'> {
  if (new URLSearchParams(parameters).get('state')?.startsWith('link.')) {
    await fetchApi('/auth/identity', { method: 'POST', body: { parameters } })
    return '/account'
  }
  await logInAt('/auth/sso/callback', { parameters })
  return '/'
}

export async function unlinkIdentity(): Promise<void> {
  await fetchApi('/auth/identity', { method: 'DELETE' })
}

export function setIdentityProvider(body: NewIdentityProvider): Promise<IdentityProvider> {
  return fetchJson<IdentityProvider>('/auth/identity-provider', { method: 'PUT', body })
}

export async function removeIdentityProvider(): Promise<void> {
  await fetchApi('/auth/identity-provider', { method: 'DELETE' })
}

async function foundAt<T>(path: string, signal: AbortSignal): Promise<T | null> {
  try {
    return await fetchJson<T>(path, { signal })
  } catch (error) {
    if (error instanceof ApiProblem && error.is('not_found')) return null
    throw error
  }
}
