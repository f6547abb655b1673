import { type Static, Type } from 'typebox'
import * as example from './examples-of-access.ts'
import * as field from './fields.ts'

/** Base64url as WebAuthn uses it; long enough for the largest key and identifier that the standard allows. */
function base64url(maxLength: number) {
  return Type.String({ pattern: '^[A-Za-z0-9_-]+$', maxLength })
}
const CredentialId = base64url(1366)
const Large = base64url(8192)

const credential = {
  id: CredentialId,
  rawId: CredentialId,
  type: Type.Enum(['public-key']),
  authenticatorAttachment: field.optional(field.nullable(Type.String({ maxLength: 100 }))),
  clientExtensionResults: Type.Record(Type.String(), Type.Unknown()),
}

/** The result of `navigator.credentials.get`, as its `toJSON` spells it. */
export const PasskeyAssertionSchema = field.closed(
  {
    ...credential,
    response: field.closed({
      clientDataJSON: Large,
      authenticatorData: Large,
      signature: Large,
      userHandle: field.optional(field.nullable(base64url(100))),
    }),
  },
  {
    $id: 'PasskeyAssertion',
    description: 'WebAuthn’s AuthenticationResponseJSON.',
    examples: [example.passkeyAssertion],
  },
)
export type PasskeyAssertion = Static<typeof PasskeyAssertionSchema>

/** The result of `navigator.credentials.create`, as its `toJSON` spells it. */
export const PasskeyRegistrationSchema = field.closed(
  {
    ...credential,
    response: field.closed({
      clientDataJSON: Large,
      attestationObject: Large,
      authenticatorData: field.optional(Large),
      transports: field.optional(Type.Array(Type.String({ maxLength: 50 }), { maxItems: 20 })),
      publicKeyAlgorithm: field.optional(Type.Integer()),
      publicKey: field.optional(field.nullable(Large)),
    }),
  },
  {
    $id: 'PasskeyRegistration',
    description: 'WebAuthn’s RegistrationResponseJSON.',
    examples: [example.passkeyRegistration],
  },
)
export type PasskeyRegistration = Static<typeof PasskeyRegistrationSchema>

/** The options to call the browser with. */
export const CeremonyOptionsSchema = Type.Object(
  { challenge: Type.String({ description: 'Good for one answer, within five minutes.' }) },
  {
    $id: 'CeremonyOptions',
    additionalProperties: true,
    description:
      'WebAuthn’s PublicKeyCredentialCreationOptionsJSON or PublicKeyCredentialRequestOptionsJSON, for `navigator.credentials`.',
  },
)

export const PasskeySchema = field.closed(
  {
    id: field.Id,
    name: field.Name,
    created_at: field.Timestamp,
    last_used_at: field.nullable(field.Timestamp),
    is_synced: Type.Boolean({ description: 'Whether it can be on several devices.' }),
    is_backed_up: Type.Boolean({ description: 'Whether it outlives the loss of the device.' }),
  },
  { $id: 'Passkey', examples: [example.passkey] },
)
export type Passkey = Static<typeof PasskeySchema>

export const NewPasskeySchema = field.closed(
  { name: field.Name, credential: field.ref(PasskeyRegistrationSchema) },
  { $id: 'NewPasskey', examples: [{ name: 'Laptop', credential: example.passkeyRegistration }] },
)
export type NewPasskey = Static<typeof NewPasskeySchema>

export const PasskeyChangeSchema = field.closed(
  { name: field.Name },
  { $id: 'PasskeyChange', examples: [{ name: 'Laptop' }] },
)

/** Whether a password alone lets the user in, and what is left if the passkey is lost. */
export const SecondFactorSchema = field.closed(
  {
    enabled: Type.Boolean({
      description: 'Whether a password needs a passkey or a recovery code beside it.',
    }),
    recovery_codes_left: Type.Integer({ minimum: 0 }),
  },
  { $id: 'SecondFactor', examples: [{ enabled: true, recovery_codes_left: 10 }] },
)
export type SecondFactor = Static<typeof SecondFactorSchema>

export const SecondFactorChangeSchema = field.closed(
  { enabled: Type.Boolean() },
  { $id: 'SecondFactorChange', examples: [{ enabled: true }] },
)

export const RecoveryCodesSchema = field.closed(
  { codes: Type.Array(Type.String(), { description: 'Shown this once; each is good for one login.' }) },
  { $id: 'RecoveryCodes', examples: [{ codes: [example.recoveryCode] }] },
)
