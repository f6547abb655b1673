import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { fetchApi, fetchJson } from './fetch-api.ts'
import { send } from './send.ts'
import { logInAt } from './session.ts'

/** Loads the passkey library on first use. */
const library = () => import('@simplewebauthn/browser')

/** Returns the reason why passkeys do not work here; undefined if they do. They need a host name and a secure address. */
export function passkeyObstacle(): 'unsupported' | 'numbered' | undefined {
  if (!window.isSecureContext || !('PublicKeyCredential' in window)) return 'unsupported'
  return /^[\d.]+$|^\[/.test(location.hostname) ? 'numbered' : undefined
}

/** Logs in with any passkey of the browser. Throws as `send` and the browser do. */
export async function logInWithPasskey(): Promise<void> {
  const options = await (await send('/auth/login/passkey/options', { method: 'POST' })).json()
  await logInAt('/auth/login/passkey', await answerTo(options))
}

/** The second step that a login needs: the ways there are, and the passkey options with the challenge. */
export type SecondStepNeeds = {
  readonly ways: readonly ('passkey' | 'totp' | 'recovery_code')[]
  readonly options: unknown
}

export async function completeWithPasskey(options: unknown): Promise<void> {
  const passkey = await answerTo(options as PublicKeyCredentialRequestOptionsJSON)
  await logInAt('/auth/login/second-factor', { passkey })
}

/** Completes a login with a code of the authenticator app. */
export async function completeWithTotp(options: unknown, code: string): Promise<void> {
  const { challenge } = options as PublicKeyCredentialRequestOptionsJSON
  await logInAt('/auth/login/second-factor', { totp: { challenge, code } })
}

/** Completes a login with a recovery code. Returns the number of codes left, if known. */
export async function completeWithCode(options: unknown, code: string): Promise<number | undefined> {
  const { challenge } = options as PublicKeyCredentialRequestOptionsJSON
  await logInAt('/auth/login/second-factor', { recovery_code: { challenge, code } })
  const left = await fetchJson<{ recovery_codes_left: number }>('/auth/second-factor').catch(() => undefined)
  return left?.recovery_codes_left
}

export async function proveByPasskey(): Promise<void> {
  const options = await fetchJson<PublicKeyCredentialRequestOptionsJSON>('/auth/proof/options', {
    method: 'POST',
  })
  await fetchApi('/auth/proof', { method: 'POST', body: { passkey: await answerTo(options) } })
}

export async function proveByPassword(password: string): Promise<void> {
  await fetchApi('/auth/proof', { method: 'POST', body: { password } })
}

export async function proveByTotp(totp: string): Promise<void> {
  await fetchApi('/auth/proof', { method: 'POST', body: { totp } })
}

export async function addPasskey(name: string): Promise<void> {
  const optionsJSON = await offerPasskey()
  const { startRegistration } = await library()
  const credential = await startRegistration({ optionsJSON })
  await fetchApi('/auth/passkeys', { method: 'POST', body: { name, credential } })
}

/** Returns the options to create a passkey. Throws if the user must confirm their identity first. */
export function offerPasskey(): Promise<PublicKeyCredentialCreationOptionsJSON> {
  return fetchJson('/auth/passkeys/options', { method: 'POST' })
}

async function answerTo(optionsJSON: PublicKeyCredentialRequestOptionsJSON) {
  const { startAuthentication } = await library()
  return startAuthentication({ optionsJSON })
}
