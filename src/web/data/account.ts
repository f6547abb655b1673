import { queryOptions } from '@tanstack/react-query'
import type { ApiToken, MadeApiToken, NewApiToken } from '../../contract/api-token.ts'
import type { EmailChange } from '../../contract/email-change.ts'
import type { OwnSession } from '../../contract/own-session.ts'
import type { Passkey, SecondFactor } from '../../contract/passkey.ts'
import type { NewTotp, TotpOffer } from '../../contract/totp.ts'
import { fetchApi, fetchJson } from './fetch-api.ts'

export const ACCOUNT = ['account'] as const

/** The user's own sessions, most recently used first. */
export const ownSessions = queryOptions({
  queryKey: [...ACCOUNT, 'sessions'],
  queryFn: ({ signal }) => fetchJson<readonly OwnSession[]>('/auth/sessions', { signal }),
})

/** The user's own passkeys, oldest first. */
export const ownPasskeys = queryOptions({
  queryKey: [...ACCOUNT, 'passkeys'],
  queryFn: ({ signal }) => fetchJson<readonly Passkey[]>('/auth/passkeys', { signal }),
})

/** Whether the password is enough, the authenticator app, and the number of recovery codes left. */
export const secondFactor = queryOptions({
  queryKey: [...ACCOUNT, 'second-factor'],
  queryFn: ({ signal }) => fetchJson<SecondFactor>('/auth/second-factor', { signal }),
})

/** The API tokens of the user's scripts and assistants, newest first. */
export const apiTokens = queryOptions({
  queryKey: [...ACCOUNT, 'tokens'],
  queryFn: ({ signal }) => fetchJson<readonly ApiToken[]>('/auth/tokens', { signal }),
})

/** Makes an API token. Its text is in the response only. Throws if the user must confirm their identity first. */
export function makeApiToken(token: NewApiToken): Promise<MadeApiToken> {
  return fetchJson<MadeApiToken>('/auth/tokens', { method: 'POST', body: token })
}

export async function endApiToken(id: string): Promise<void> {
  await fetchApi(`/auth/tokens/${id}`, { method: 'DELETE' })
}

/** Ends one of the user's sessions, or all others. */
export async function endSessions(id?: string): Promise<void> {
  await fetchApi(id === undefined ? '/auth/sessions' : `/auth/sessions/${id}`, { method: 'DELETE' })
}

export async function renamePasskey(id: string, name: string): Promise<void> {
  await fetchApi(`/auth/passkeys/${id}`, { method: 'PATCH', body: { name } })
}

export async function removePasskey(id: string): Promise<void> {
  await fetchApi(`/auth/passkeys/${id}`, { method: 'DELETE' })
}

export function switchSecondFactor(enabled: boolean): Promise<SecondFactor> {
  return fetchJson<SecondFactor>('/auth/second-factor', { method: 'PATCH', body: { enabled } })
}

/** Returns a new secret for an authenticator app. */
export function offerTotp(): Promise<TotpOffer> {
  return fetchJson<TotpOffer>('/auth/totp/options', { method: 'POST' })
}

export function addTotp(body: NewTotp): Promise<SecondFactor> {
  return fetchJson<SecondFactor>('/auth/totp', { method: 'POST', body })
}

export async function removeTotp(): Promise<void> {
  await fetchApi('/auth/totp', { method: 'DELETE' })
}

/** Replaces all recovery codes with new ones. */
export async function makeRecoveryCodes(): Promise<readonly string[]> {
  const { codes } = await fetchJson<{ codes: readonly string[] }>('/auth/recovery-codes', { method: 'POST' })
  return codes
}

/** Changes the user's own address, or, for an owner, another user's. Throws `ApiProblem` or `Unreachable`. */
export function changeEmail({
  userId,
  email,
}: {
  userId?: string | undefined
  email: string
}): Promise<EmailChange> {
  const path = userId === undefined ? '/auth/email-change' : `/users/${userId}/email-change`
  return fetchJson<EmailChange>(path, { method: 'POST', body: { email } })
}
