import type { WebAuthnCredential } from '@simplewebauthn/server'
import type { User } from '../contract/auth.ts'
import type { PasskeyAssertion, PasskeyRegistration } from '../contract/passkey.ts'
import type { KeyFacts, StoredPasskey } from '../db/accounts/passkeys.ts'
import type { Challenge, Challenges, Purpose, Subject } from './challenges.ts'

/** The milliseconds for the user to respond, less than the lifetime of a challenge. */
const TIMEOUT_MS = 4 * 60 * 1000

/** EdDSA, ES256 and RS256: every device supports one of them, and the library's others are experimental in Node.js. */
const ALGORITHMS = [-8, -7, -257]

/** The domain to which passkeys are bound, and the origins that may use them. */
export type RelyingParty = { readonly id: string; readonly origins: readonly string[] }

export type Ceremony = { readonly rp: RelyingParty; readonly challenges: Challenges; readonly now: Date }

export type VerifiedResponse<Facts> = { readonly challenge: Challenge; readonly facts: Facts }

type Named = Pick<WebAuthnCredential, 'id' | 'transports'>

/** Returns the options to create a passkey on a device without a passkey of the user. */
export async function registrationOptions(
  { rp, challenges, now }: Ceremony,
  { id, email, name }: User,
  known: readonly StoredPasskey[],
): Promise<{ challenge: string }> {
  const { generateRegistrationOptions } = await library()
  return generateRegistrationOptions({
    rpName: 'Fahrplan',
    rpID: rp.id,
    userName: email,
    userDisplayName: name,
    userID: new TextEncoder().encode(id),
    challenge: await challenges.seal('registration', { userId: id }, now),
    timeout: TIMEOUT_MS,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: known.map(namedIn),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

/** Returns the options to use one of these passkeys, or any that the user has for the domain. */
export async function requestOptions(
  { rp, challenges, now }: Ceremony,
  { purpose, ...subject }: Subject & { readonly purpose: Purpose },
  allowed?: readonly StoredPasskey[],
): Promise<{ challenge: string }> {
  const { generateAuthenticationOptions } = await library()
  return generateAuthenticationOptions({
    rpID: rp.id,
    challenge: await challenges.seal(purpose, subject, now),
    timeout: TIMEOUT_MS,
    userVerification: isVerified(purpose) ? 'required' : 'preferred',
    ...(allowed ? { allowCredentials: allowed.map(namedIn) } : {}),
  })
}

/** Returns the key of a user's registration response, or undefined if the response is not valid. */
export async function checkRegistration(
  { rp, challenges, now }: Ceremony,
  userId: string,
  response: PasskeyRegistration,
): Promise<VerifiedResponse<KeyFacts> | undefined> {
  const { verifyRegistrationResponse } = await library()
  let challenge: Challenge | undefined
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: response as never,
    expectedChallenge: async (text) => {
      challenge = await challenges.open(text, 'registration', now)
      return challenge?.userId === userId
    },
    expectedOrigin: [...rp.origins],
    expectedRPID: rp.id,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(nothingVerified)
  if (!verified || !registrationInfo || !challenge) return undefined
  const { credential, credentialDeviceType, credentialBackedUp } = registrationInfo
  return {
    challenge,
    facts: {
      credential_id: credential.id,
      public_key: Buffer.from(credential.publicKey),
      transports: response.response.transports ?? [],
      counter: credential.counter,
      is_synced: credentialDeviceType === 'multiDevice',
      is_backed_up: credentialBackedUp,
    },
  }
}

export type PasskeyUse = Pick<KeyFacts, 'counter' | 'is_backed_up'>

/** Verifies a stored passkey's response to a challenge of this purpose. Returns undefined if the response is not valid. */
export async function checkAssertion(
  { rp, challenges, now }: Ceremony,
  purpose: Purpose,
  response: PasskeyAssertion,
  stored: StoredPasskey,
): Promise<VerifiedResponse<PasskeyUse> | undefined> {
  if (!isHandleOf(response, stored.user_id, purpose)) return undefined
  const { verifyAuthenticationResponse } = await library()
  let challenge: Challenge | undefined
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: response as never,
    expectedChallenge: async (text) => {
      challenge = await challenges.open(text, purpose, now)
      return challenge !== undefined && (challenge.userId ?? stored.user_id) === stored.user_id
    },
    expectedOrigin: [...rp.origins],
    expectedRPID: rp.id,
    credential: {
      id: stored.credential_id,
      publicKey: new Uint8Array(stored.public_key),
      counter: stored.counter,
    },
    requireUserVerification: isVerified(purpose),
  }).catch(nothingVerified)
  if (!verified || !authenticationInfo || !challenge) return undefined
  const { newCounter, credentialBackedUp } = authenticationInfo
  return { challenge, facts: { counter: newCounter, is_backed_up: credentialBackedUp } }
}

export function challengeIn({ response }: PasskeyAssertion): string {
  try {
    const { challenge } = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString())
    return typeof challenge === 'string' ? challenge : ''
  } catch {
    return ''
  }
}

/** Whether the device must verify its user, because the passkey replaces a password. */
function isVerified(purpose: Purpose): boolean {
  return purpose !== 'second_factor'
}

/** Whether the response is from this user. Only in a login without a password must it contain the user's id. */
function isHandleOf({ response }: PasskeyAssertion, userId: string, purpose: Purpose): boolean {
  const handle = response.userHandle ?? null
  if (handle === null) return purpose !== 'login'
  return Buffer.from(handle, 'base64url').toString() === userId
}

function namedIn({ credential_id, transports }: StoredPasskey): Named {
  return { id: credential_id, transports: transports as Named['transports'] }
}

function nothingVerified(): { verified: false; registrationInfo?: never; authenticationInfo?: never } {
  return { verified: false }
}

/** Loads the library on first use: it takes a quarter of a second, and most commands never need it. */
function library() {
  return import('@simplewebauthn/server')
}
