import { type Static, Type } from 'typebox'
import * as example from './examples-of-access.ts'
import * as field from './fields.ts'

/** Returns the schema of a base64url text. The lengths suffice for the largest keys and ids in WebAuthn. */
function base64url(maxLength: number) {
  return Type.String({ pattern: '^[A-Za-z0-9_-]+$', maxLength })
}
const CredentialId = base64url(1366)
const Large = base64url(8192)

const credential = {
  id: field.described(CredentialId, 'The id of the credential in base64url.'),
  rawId: field.described(CredentialId, 'The same as `id`.'),
  type: Type.Enum(['public-key'], { description: 'The kind of credential, always `public-key`.' }),
  authenticatorAttachment: field.optional(
    field.described(
      field.nullable(Type.String({ maxLength: 100 })),
      'How the authenticator is attached, such as `platform`, as the browser names it.',
    ),
  ),
  clientExtensionResults: field.described(
    Type.Record(Type.String(), Type.Unknown()),
    'The results of WebAuthn extensions; they are not used.',
  ),
}

/** The `toJSON` of a `navigator.credentials.get` result. */
export const PasskeyAssertionSchema = field.closed(
  {
    ...credential,
    response: field.closed(
      {
        clientDataJSON: field.described(
          Large,
          'The client data in base64url, which contain the challenge and the origin.',
        ),
        authenticatorData: field.described(Large, 'The authenticator data in base64url.'),
        signature: field.described(Large, 'The signature of the authenticator in base64url.'),
        userHandle: field.optional(
          field.described(
            field.nullable(base64url(100)),
            'The user handle in base64url, if the authenticator returns one.',
          ),
        ),
      },
      { description: "The authenticator's response to the challenge." },
    ),
  },
  {
    $id: 'PasskeyAssertion',
    description: 'WebAuthn’s AuthenticationResponseJSON.',
    examples: [example.passkeyAssertion],
  },
)
export type PasskeyAssertion = Static<typeof PasskeyAssertionSchema>

/** The `toJSON` of a `navigator.credentials.create` result. */
export const PasskeyRegistrationSchema = field.closed(
  {
    ...credential,
    response: field.closed(
      {
        clientDataJSON: field.described(
          Large,
          'The client data in base64url, which contain the challenge and the origin.',
        ),
        attestationObject: field.described(
          Large,
          'The attestation object in base64url, which contains the public key.',
        ),
        authenticatorData: field.optional(
          field.described(Large, 'The authenticator data in base64url, as the browser repeats them.'),
        ),
        transports: field.optional(
          field.described(
            Type.Array(Type.String({ maxLength: 50 }), { maxItems: 20 }),
            'The transports of the authenticator, such as `internal` or `usb`.',
          ),
        ),
        publicKeyAlgorithm: field.optional(
          Type.Integer({ description: 'The COSE algorithm of the public key, as the browser repeats it.' }),
        ),
        publicKey: field.optional(
          field.described(field.nullable(Large), 'The public key in base64url, as the browser repeats it.'),
        ),
      },
      { description: "The authenticator's response to the challenge." },
    ),
  },
  {
    $id: 'PasskeyRegistration',
    description: 'WebAuthn’s RegistrationResponseJSON.',
    examples: [example.passkeyRegistration],
  },
)
export type PasskeyRegistration = Static<typeof PasskeyRegistrationSchema>

/** The options for the browser's WebAuthn call. */
export const CeremonyOptionsSchema = Type.Object(
  {
    challenge: Type.String({ description: 'The challenge, valid for one response within five minutes.' }),
  },
  {
    $id: 'CeremonyOptions',
    additionalProperties: true,
    description:
      'WebAuthn’s PublicKeyCredentialCreationOptionsJSON or PublicKeyCredentialRequestOptionsJSON, for `navigator.credentials`.',
  },
)

export const PasskeySchema = field.closed(
  {
    id: field.described(field.Id, 'The id to rename or remove the passkey with.'),
    name: field.described(field.Name, 'The name that the user has given it.'),
    created_at: field.described(field.Timestamp, 'When it was added: UTC, RFC 3339.'),
    last_used_at: field.described(
      field.nullable(field.Timestamp),
      'When it was last used to log in or to confirm an identity, UTC; null if it never was.',
    ),
    is_synced: Type.Boolean({ description: 'Whether it can be synchronised to several devices.' }),
    is_backed_up: Type.Boolean({
      description: 'Whether it is backed up and survives the loss of the device.',
    }),
  },
  { $id: 'Passkey', description: 'A passkey as its owner sees it.', examples: [example.passkey] },
)
export type Passkey = Static<typeof PasskeySchema>

export const NewPasskeySchema = field.closed(
  {
    name: field.described(field.Name, 'A name by which the user will recognise it.'),
    credential: field.described(
      field.ref(PasskeyRegistrationSchema),
      'The result of `navigator.credentials.create`, as its `toJSON` writes it.',
    ),
  },
  {
    $id: 'NewPasskey',
    description: 'The passkey created by the browser, and a name for it.',
    examples: [{ name: 'Laptop', credential: example.passkeyRegistration }],
  },
)
export type NewPasskey = Static<typeof NewPasskeySchema>

export const PasskeyChangeSchema = field.closed(
  { name: field.described(field.Name, 'The name by which the user recognises it.') },
  { $id: 'PasskeyChange', description: 'The new name.', examples: [{ name: 'Laptop' }] },
)

/** Whether a password alone is enough, and the remaining recovery codes. */
export const SecondFactorSchema = field.closed(
  {
    enabled: Type.Boolean({
      description:
        'Whether a passkey, a code of the authenticator app or a recovery code is required in addition to the password.',
    }),
    totp_since: field.described(
      field.nullable(field.Timestamp),
      'When the authenticator app was set up: UTC, RFC 3339; null if there is none.',
    ),
    is_required: Type.Boolean({
      description: 'Whether the school requires a second factor: it cannot be switched off then.',
    }),
    recovery_codes_left: Type.Integer({ minimum: 0, description: 'The number of unused recovery codes.' }),
  },
  {
    $id: 'SecondFactor',
    description: 'Whether a second factor is required, and the number of recovery codes left.',
    examples: [{ enabled: true, totp_since: null, is_required: false, recovery_codes_left: 10 }],
  },
)
export type SecondFactor = Static<typeof SecondFactorSchema>

export const SecondFactorChangeSchema = field.closed(
  {
    enabled: Type.Boolean({
      description: 'Whether a second factor is required in addition to the password.',
    }),
  },
  { $id: 'SecondFactorChange', description: 'The state to switch to.', examples: [{ enabled: true }] },
)

export const RecoveryCodesSchema = field.closed(
  { codes: Type.Array(Type.String(), { description: 'The codes; each is valid for one login.' }) },
  {
    $id: 'RecoveryCodes',
    description: 'Recovery codes, shown only once.',
    examples: [{ codes: [example.recoveryCode] }],
  },
)
