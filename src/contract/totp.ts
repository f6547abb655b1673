import { type Static, Type } from 'typebox'
import * as example from './examples-of-access.ts'
import * as field from './fields.ts'

const Challenge = Type.String({ minLength: 1, maxLength: 2048 })

/** The code of an authenticator app as a person types it. */
export const TotpCode = Type.String({ minLength: 1, maxLength: 20 })

export const TotpOfferSchema = field.closed(
  {
    secret: Type.String({ description: 'The secret in base 32, to type where no camera can read `uri`.' }),
    uri: Type.String({
      description: 'The `otpauth:` address that authenticator apps read from a QR code; draw it locally.',
    }),
    challenge: field.described(Challenge, 'The challenge for `POST /auth/totp`, valid once for 15 minutes.'),
  },
  {
    $id: 'TotpOffer',
    description: 'The secret of an authenticator app, shown only once.',
    examples: [example.totpOffer],
  },
)
export type TotpOffer = Static<typeof TotpOfferSchema>

export const NewTotpSchema = field.closed(
  {
    challenge: field.described(Challenge, 'The `challenge` of `POST /auth/totp/options`.'),
    code: field.described(TotpCode, 'The code that the app shows now; spaces do not matter.'),
  },
  {
    $id: 'NewTotp',
    description: 'The confirmation that an authenticator app has the secret.',
    examples: [{ challenge: example.totpOffer.challenge, code: '287082' }],
  },
)
export type NewTotp = Static<typeof NewTotpSchema>
