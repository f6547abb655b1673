import { type Static, Type } from 'typebox'
import { PASSWORD_BYTES } from '../domain/ranges.ts'
import * as example from './examples-of-access.ts'
import * as field from './fields.ts'
import { PasskeyAssertionSchema } from './passkey.ts'
import type { Fault } from './problem.ts'
import { TotpCode } from './totp.ts'

export type ProofKind = 'password' | 'passkey' | 'totp' | 'sso'

/** The proof of a logged-in user; exactly one of the three. */
export const ProofSchema = field.closed(
  {
    password: field.optional(
      Type.String({ 'x-bytes': [0, PASSWORD_BYTES.max], description: 'The password of the user.' }),
    ),
    passkey: field.optional(
      field.described(
        field.ref(PasskeyAssertionSchema),
        'The result of `navigator.credentials.get` for `POST /auth/proof/options`.',
      ),
    ),
    totp: field.optional(
      field.described(
        TotpCode,
        'The code of the authenticator app; each is valid once, spaces do not matter.',
      ),
    ),
  },
  {
    $id: 'Proof',
    description:
      "The password, a passkey's response to the options of `POST /auth/proof/options`, or a code of the authenticator app: exactly one of them.",
    examples: [
      { password: 'correct horse battery' },
      { passkey: example.passkeyAssertion },
      { totp: '287082' },
    ],
  },
)
export type Proof = Static<typeof ProofSchema>

const LoginChallenge = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: 'The `challenge` of the options that the refused login returned.',
})

/** The second factor of a login; exactly one of the three. */
export const SecondFactorProofSchema = field.closed(
  {
    passkey: field.optional(
      field.described(
        field.ref(PasskeyAssertionSchema),
        'The result of `navigator.credentials.get` for the options of the refused login.',
      ),
    ),
    totp: field.optional(
      field.closed(
        {
          challenge: LoginChallenge,
          code: field.described(TotpCode, 'The code that the app shows; spaces do not matter.'),
        },
        { description: 'A code of the authenticator app.' },
      ),
    ),
    recovery_code: field.optional(
      field.closed(
        {
          challenge: LoginChallenge,
          code: Type.String({
            minLength: 1,
            maxLength: 100,
            description: 'The recovery code; case, spaces and dashes do not matter.',
          }),
        },
        { description: 'A recovery code in place of the second factor.' },
      ),
    ),
  },
  {
    $id: 'SecondFactorProof',
    description:
      "A passkey's response to the options of the login, a code of the authenticator app, or a recovery code: exactly one of them.",
    examples: [
      { passkey: example.passkeyAssertion },
      { totp: { challenge: example.challenge, code: '287082' } },
      { recovery_code: { challenge: example.challenge, code: example.recoveryCode } },
    ],
  },
)
/** Returns a check that a body has exactly one of the fields. */
export function oneProof<Field extends string>(...fields: readonly Field[]) {
  return (body: { readonly [Name in Field]?: unknown }): readonly Fault[] => {
    if (fields.filter((name) => body[name] !== undefined).length === 1) return []
    return [{ pointer: '', code: 'one_of', detail: `One of ${fields.join(', ')} is required.` }]
  }
}

export type SecondFactorProof = Static<typeof SecondFactorProofSchema>
