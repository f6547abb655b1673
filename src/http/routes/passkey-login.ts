import type { FastifyReply, FastifyRequest } from 'fastify'
import { logInWithPasskey, logInWithSecondFactor, passkeyLoginOptions } from '../../auth/passkey-login.ts'
import type { Continuation } from '../../auth/refresh-token.ts'
import { type Tokens, TokensSchema } from '../../contract/auth.ts'
import { ref } from '../../contract/fields.ts'
import { CeremonyOptionsSchema, PasskeyAssertionSchema } from '../../contract/passkey.ts'
import { oneProof, SecondFactorProofSchema } from '../../contract/proof.ts'
import { operation } from '../operation.ts'
import { ceremonyOf, loginRequestFor, logRefusals } from '../requests/login-request.ts'
import { tokensFor } from '../requests/tokens.ts'
import { BODY, responses } from '../responses/responses.ts'
import type { App, Service } from '../service.ts'

/** The body limit in bytes. A passkey's key can be long. */
export const PASSKEY_BODY_LIMIT = 16 * 1024

const bodyLimit = PASSKEY_BODY_LIMIT

export function passkeyLoginRoutes(app: App, service: Service): void {
  app.post(
    '/auth/login/passkey/options',
    operation('auth', {
      bodyLimit,
      compress: false,
      open: true,
      needsNoTurn: true,
      operationId: 'passkeyLoginOptions',
      summary: 'Get the options for a login with a passkey',
      description:
        'Pass the response to `navigator.credentials.get` and its result to `POST /auth/login/passkey`.',
      returns: 'The options for the browser, with a challenge that is valid for five minutes.',
      response: responses({ 200: ref(CeremonyOptionsSchema) }, ...BODY),
    }),
    async () => passkeyLoginOptions(ceremonyOf(app, service)),
  )

  app.post(
    '/auth/login/passkey',
    operation('auth', {
      bodyLimit,
      compress: false,
      open: true,
      operationId: 'logInWithPasskey',
      summary: 'Log in with a passkey alone',
      description:
        'Needs neither e-mail address nor password: the passkey identifies the user. The result is that of `POST /auth/login`.',
      returns: 'Both tokens and their lifetimes; the cookies are set.',
      body: ref(PasskeyAssertionSchema),
      response: responses({ 200: ref(TokensSchema) }, 401, 403, 429, ...BODY),
    }),
    async (request, reply) => {
      const login = await loginRequestFor(request, app, service)
      const work = () => logInWithPasskey(service.db, request.body, login)
      return welcome(request, reply, service, await logRefusals(request, { by: 'passkey' }, work))
    },
  )

  app.post(
    '/auth/login/second-factor',
    operation('auth', {
      bodyLimit,
      compress: false,
      open: true,
      faultsFor: oneProof('passkey', 'totp', 'recovery_code'),
      operationId: 'logInWithSecondFactor',
      summary: 'Complete a login with a second factor, after the password',
      description:
        'Use it after a 401 `second_factor_required`. Send exactly one of `passkey`, `totp` and `recovery_code`; a code works once. 401 `login_expired` if the password was sent more than five minutes ago.',
      returns: 'Both tokens and their lifetimes; the cookies are set.',
      body: ref(SecondFactorProofSchema),
      response: responses({ 200: ref(TokensSchema) }, 401, 403, 429, ...BODY),
    }),
    async (request, reply) => {
      const login = { ...(await loginRequestFor(request, app, service)), set_id: request.id }
      const work = () => logInWithSecondFactor(service.db, request.body, login)
      return welcome(request, reply, service, await logRefusals(request, { by: 'second_factor' }, work))
    },
  )
}

function welcome(
  request: FastifyRequest,
  reply: FastifyReply,
  service: Service,
  session: Continuation,
): Promise<Tokens> {
  if (session.ended !== undefined) service.sessions.forget([session.ended])
  const { tid: tenant_id, sub: user_id } = session.claims
  request.log.info({ event: 'login_succeeded', ip: request.ip, tenant_id, user_id }, 'login')
  return tokensFor(session, service, reply)
}
