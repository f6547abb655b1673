import type { FastifyRequest } from 'fastify'
import { accountFor, changePassword, logIn } from '../../auth/login.ts'
import { endFamilyOf, rotate } from '../../auth/refresh-token.ts'
import {
  CredentialsSchema,
  MeSchema,
  PasswordChangeSchema,
  RefreshSchema,
  TokensSchema,
} from '../../contract/auth.ts'
import { ref } from '../../contract/fields.ts'
import { looksLikeEmail } from '../../contract/formats.ts'
import { invalidRequest, Problem } from '../../contract/problem.ts'
import { operation } from '../operation.ts'
import { clearCookies, cookieValues, mayUseCookie, REFRESH_COOKIE } from '../requests/access-cookie.ts'
import { clientNetwork } from '../requests/client-network.ts'
import { loginRequestFor, logRefusals } from '../requests/login-request.ts'
import { tokensFor } from '../requests/tokens.ts'
import { BODY, noContent, responses, sendNoContent } from '../responses/responses.ts'
import type { App, Service } from '../service.ts'

const bodyLimit = 4 * 1024

export function authRoutes(app: App, service: Service): void {
  const { db, config, sessions } = service

  app.post(
    '/auth/login',
    operation('auth', {
      bodyLimit,
      compress: false,
      open: true,
      needsNoTurn: true,
      operationId: 'logIn',
      summary: 'Log in with an e-mail address and a password',
      description:
        'Use it first: send the `token` as `Authorization: Bearer`, or let the browser send the cookies `svc_jwt` and `svc_refresh`. A 401 `second_factor_required` has in `params.ways` what `POST /auth/login/second-factor` takes, and in `params.options` the options for a passkey, with the `challenge` for codes. 403 `sso_required` if users of the school log in at its issuer.',
      returns: 'Both tokens and their lifetimes; the cookies are set.',
      body: ref(CredentialsSchema),
      response: responses({ 200: ref(TokensSchema) }, 401, 403, 429, ...BODY),
    }),
    async (request, reply) => {
      const account = accountFor(request.body.email)
      // A password typed into the wrong field must not reach the log.
      const who = looksLikeEmail(account) ? { account } : undefined
      const login = await loginRequestFor(request, app, service)
      const session = await logRefusals(request, who, () => logIn(db, request.body, login))
      const { tid: tenant_id, sub: user_id } = session.claims
      request.log.info({ event: 'login_succeeded', ip: request.ip, account, tenant_id, user_id }, 'login')
      return tokensFor(session, service, reply)
    },
  )

  app.post(
    '/auth/refresh',
    operation('auth', {
      bodyLimit,
      compress: false,
      open: true,
      bodyOptional: true,
      operationId: 'refresh',
      summary: 'Exchange a refresh token, once, for new tokens',
      description:
        'Use it before the access token expires. The old refresh token is revoked; if it is used again later than 10 seconds after its rotation, the whole session ends.',
      returns: 'New tokens; the cookies are set again.',
      body: ref(RefreshSchema),
      response: responses({ 200: ref(TokensSchema) }, 401, ...BODY),
    }),
    async (request, reply) => {
      const context = { network: clientNetwork(request), secrets: service.refreshSecrets }
      const outcome = await rotate(db, requireRefreshToken(request, service), context)
      if ('claims' in outcome) return tokensFor(outcome, service, reply)
      sessions.forget(outcome.revoked)
      if (outcome.reusedBy) {
        const facts = { event: 'refresh_token_reused', ip: request.ip, user_id: outcome.reusedBy }
        request.log.warn({ ...facts, families: outcome.revoked }, 'a used refresh token came back')
      } else service.refusedTokens.log(request, { token: 'refresh', reason: 'invalid' })
      throw new Problem('invalid_refresh_token')
    },
  )

  app.post(
    '/auth/logout',
    operation('auth', {
      bodyLimit,
      open: true,
      bodyOptional: true,
      operationId: 'logOut',
      summary: "End the session of a refresh token, whatever the token's state",
      description:
        'Revokes the refresh token and its session, and clears the cookies. Any string is accepted, so the response reveals nothing about the token.',
      body: ref(RefreshSchema),
      response: responses(
        { 204: noContent('The session has ended; both cookies are cleared') },
        401,
        ...BODY,
      ),
    }),
    async (request, reply) => {
      // Older releases let browsers store responses.
      reply.header('clear-site-data', '"cache"')
      const { revoked, session } = await endFamilyOf(db, requireRefreshToken(request, service))
      sessions.forget(revoked)
      if (session) request.log.info({ event: 'logged_out', ip: request.ip, ...session }, 'logout')
      clearCookies(reply, config)
      return sendNoContent(reply)
    },
  )

  app.get(
    '/auth/me',
    operation('auth', {
      permission: 'be_oneself',
      beforeSecondFactor: true,
      operationId: 'me',
      summary: 'Read the logged-in user and the school',
      description: 'Use it to show the name of the user and to adapt the interface to the role.',
      returns: 'The user, with the school in `tenant`.',
      response: responses({ 200: ref(MeSchema) }, 401),
    }),
    async ({ session: { user, tenant } }) => ({ ...user, tenant }),
  )

  app.post(
    '/auth/password',
    operation('auth', {
      bodyLimit,
      permission: 'keep_an_account',
      needsNoTurn: true,
      operationId: 'changePassword',
      summary: 'Change your password; ends all your other sessions',
      description:
        'Needs the current password: a wrong one is 401 `invalid_credentials` and counts as a failed login. The current session stays.',
      body: ref(PasswordChangeSchema),
      response: responses({ 204: noContent('The password is changed') }, 401, 429, ...BODY),
    }),
    async (request, reply) => {
      const context = { network: clientNetwork(request), limits: config.loginLimits }
      const who = { user_id: request.session.user.id, tenant_id: request.session.tenant.id }
      const { actor, session, body } = request
      const change = () => changePassword(db, actor, { session, ...body }, context)
      const ended = await logRefusals(request, who, change)
      sessions.forget([...ended, request.session.familyId])
      request.log.info({ event: 'password_changed', ip: request.ip, ...who }, 'password changed')
      return sendNoContent(reply)
    },
  )
}

/** Returns the token of the body or the cookie. Throws 400 if there is none, 401 if the cookie may not be used. */
function requireRefreshToken(
  request: FastifyRequest<{ Body: { refresh_token?: string } }>,
  { config }: Service,
): string {
  if (request.body.refresh_token !== undefined) return request.body.refresh_token
  const [cookie, another] = cookieValues(request, REFRESH_COOKIE)
  if (!cookie) {
    const detail = 'refresh_token is required, in the body or as the svc_refresh cookie.'
    throw invalidRequest([{ pointer: '/refresh_token', code: 'required', detail }])
  }
  if (another !== undefined || !mayUseCookie(request, config)) throw new Problem('invalid_refresh_token')
  return cookie
}
