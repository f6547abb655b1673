import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { ask, askFor } from './ask.ts'
import { send } from './send.ts'
import { enterBy } from './session.ts'

/** Fetched when the first passkey is asked for. */
const library = () => import('@simplewebauthn/browser')

/** Whether passkeys work here at all, and if not, why: browsers bind them to names and to secure addresses. */
export function passkeyHindrance(): 'unsupported' | 'numbered' | undefined {
  if (!window.isSecureContext || !('PublicKeyCredential' in window)) return 'unsupported'
  return /^[\d.]+$|^\[/.test(location.hostname) ? 'numbered' : undefined
}

/** Logs in with whichever passkey the browser has. Throws what `send` throws, and what the browser does. */
export async function logInWithPasskey(): Promise<void> {
  const options = await (await send('/auth/login/passkey/options', { method: 'POST' })).json()
  await enterBy('/auth/login/passkey', await answerTo(options))
}

/** Completes a login whose password was right with a passkey. */
export async function completeWithPasskey(options: unknown): Promise<void> {
  const passkey = await answerTo(options as PublicKeyCredentialRequestOptionsJSON)
  await enterBy('/auth/login/second-factor', { passkey })
}

/** The same with a recovery code; how many of them are left, if that can be said. */
export async function completeWithCode(options: unknown, code: string): Promise<number | undefined> {
  const { challenge } = options as PublicKeyCredentialRequestOptionsJSON
  await enterBy('/auth/login/second-factor', { recovery_code: { challenge, code } })
  const left = await askFor<{ recovery_codes_left: number }>('/auth/second-factor').catch(() => undefined)
  return left?.recovery_codes_left
}

/** Proves with an own passkey who is there. */
export async function proveByPasskey(): Promise<void> {
  const options = await askFor<PublicKeyCredentialRequestOptionsJSON>('/auth/proof/options', {
    method: 'POST',
  })
  await ask('/auth/proof', { method: 'POST', body: { passkey: await answerTo(options) } })
}

/** Proves by the password who is there. */
export async function proveByPassword(password: string): Promise<void> {
  await ask('/auth/proof', { method: 'POST', body: { password } })
}

/** Lets the browser make a passkey, and adds it under a name. */
export async function addPasskey(name: string): Promise<void> {
  const optionsJSON = await offerPasskey()
  const { startRegistration } = await library()
  const credential = await startRegistration({ optionsJSON })
  await ask('/auth/passkeys', { method: 'POST', body: { name, credential } })
}

/** Returns the options to create a passkey. Throws if the user must confirm their identity first. */
export function offerPasskey(): Promise<PublicKeyCredentialCreationOptionsJSON> {
  return askFor('/auth/passkeys/options', { method: 'POST' })
}

async function answerTo(optionsJSON: PublicKeyCredentialRequestOptionsJSON) {
  const { startAuthentication } = await library()
  return startAuthentication({ optionsJSON })
}
