import { type Static, Type } from 'typebox'
import * as example from './examples-of-sso.ts'
import * as field from './fields.ts'
import type { Fault } from './problem.ts'

const ISSUER_LENGTH = 500
const CLIENT_LENGTH = 300

const required = Type.Boolean({
  description:
    'Whether users may log in only at the issuer. Owners with a second factor keep their password, in case it is away.',
})

/** The identity provider at which users of a school log in, as owners see it. */
export const IdentityProviderSchema = field.closed(
  {
    issuer: Type.String({ description: 'The issuer of OpenID Connect.' }),
    client_id: Type.String({ description: 'The id that the issuer has given to this service.' }),
    required,
    callback_url: Type.String({
      description: 'The redirect URI to register at the issuer; no other is ever sent.',
    }),
    logout_url: Type.String({
      description: "The address for the issuer's back-channel logout, to register there.",
    }),
    login_url: Type.String({ description: 'The page at which users of the school log in.' }),
    updated_at: field.described(field.Timestamp, 'When it was changed last: UTC, RFC 3339.'),
  },
  {
    $id: 'IdentityProvider',
    description: "The school's identity provider, without its secret.",
    examples: [example.identityProvider],
  },
)
export type IdentityProvider = Static<typeof IdentityProviderSchema>

export const NewIdentityProviderSchema = field.closed(
  {
    issuer: Type.String({
      minLength: 1,
      maxLength: ISSUER_LENGTH,
      description:
        'The issuer: an `https` address without query, whose `/.well-known/openid-configuration` has its metadata.',
      examples: [example.identityProvider.issuer],
    }),
    client_id: Type.String({
      minLength: 1,
      maxLength: CLIENT_LENGTH,
      'x-text': true,
      description: 'The id that the issuer has given to this service.',
    }),
    client_secret: field.optional(
      Type.String({
        minLength: 1,
        maxLength: CLIENT_LENGTH,
        description:
          'The secret that the issuer has given to this service. It is never returned; without it the stored one stays, if issuer and id stay.',
      }),
    ),
    required,
  },
  {
    $id: 'NewIdentityProvider',
    description: 'The identity provider to use from now on.',
    examples: [example.newIdentityProvider],
  },
)
export type NewIdentityProvider = Static<typeof NewIdentityProviderSchema>

/** Returns the syntax faults of an issuer. `webhooks/addresses.ts` checks its addresses at each connection. */
export function issuerFaultsFor({ issuer }: Pick<NewIdentityProvider, 'issuer'>): readonly Fault[] {
  const fault = (code: string, detail: string) => [{ pointer: '/issuer', code, detail }]
  if (/[\s\p{Cc}?#]/u.test(issuer) || !/^https?:\/\//i.test(issuer) || !URL.canParse(issuer))
    return fault('invalid_format', 'issuer must be an https address without query and fragment.')
  const { username, password } = new URL(issuer)
  if (username || password || /^https?:\/\/[^/?#]*@/i.test(issuer))
    return fault('not_allowed', 'issuer must not have a user or a password.')
  return []
}

export const SsoSchoolSchema = field.closed(
  {
    school: Type.String({ description: "The school's name." }),
    issuer: Type.String({ description: 'The issuer at which its users log in.' }),
  },
  {
    $id: 'SsoSchool',
    description: 'The school of a login page.',
    examples: [{ school: 'Fahrschule Nord', issuer: example.identityProvider.issuer }],
  },
)

export const SsoStartSchema = field.closed(
  {
    school: field.optional(field.described(field.Id, 'The school whose issuer is asked.')),
    invitation: field.optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'The token of an invitation to accept: the user is linked to the person at the issuer.',
      }),
    ),
    fresh: field.optional(
      Type.Boolean({
        description: 'Whether the issuer has to ask for the login again, so that it counts as a proof.',
      }),
    ),
  },
  {
    $id: 'SsoStart',
    description: 'A school, or an invitation: exactly one of them.',
    examples: [{ school: example.schoolId }],
  },
)

export const SsoStartedSchema = field.closed(
  {
    url: Type.String({
      description: 'The address at the issuer, for the browser that has got the cookie of this response.',
    }),
  },
  { $id: 'SsoStarted', description: 'The way to the issuer.', examples: [{ url: example.authorizationUrl }] },
)

export const SsoAnswerSchema = field.closed(
  {
    parameters: Type.String({
      minLength: 1,
      maxLength: 4000,
      description: 'The query of the address to which the issuer has sent the browser, without `?`.',
    }),
  },
  {
    $id: 'SsoAnswer',
    description: "The issuer's answer, as the browser has received it.",
    examples: [{ parameters: example.answer }],
  },
)

export const IdentitySchema = field.closed(
  {
    issuer: Type.String({ description: 'The issuer at which the person logs in.' }),
    since: field.described(field.Timestamp, 'When the person was linked: UTC, RFC 3339.'),
  },
  {
    $id: 'Identity',
    description: 'The person at the issuer to whom a user is linked.',
    examples: [{ issuer: example.identityProvider.issuer, since: '2026-05-04T05:52:00.000Z' }],
  },
)
