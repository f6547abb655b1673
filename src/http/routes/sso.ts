import type { FastifyReply, FastifyRequest } from 'fastify'
import { TokensSchema } from '../../contract/auth.ts'
import { ref } from '../../contract/fields.ts'
import {
  IdentitySchema,
  SsoAnswerSchema,
  SsoSchoolSchema,
  SsoStartedSchema,
  SsoStartSchema,
} from '../../contract/identity-provider.ts'
import { notFound, Problem } from '../../contract/problem.ts'
import { oneProof } from '../../contract/proof.ts'
import { findIdentity } from '../../db/accounts/identities.ts'
import { requireTenant } from '../../db/school/tenants.ts'
import type { SsoContext } from '../../sso/identity-providers.ts'
import {
  beginInvitation,
  beginLink,
  beginLogin,
  completeLink,
  completeLogin,
  requireProvider,
  type SsoFlow,
  type SsoStart,
  unlink,
} from '../../sso/sso-login.ts'
import { SSO_SECONDS } from '../../sso/sso-requests.ts'
import { operation } from '../operation.ts'
import { logAccess } from '../request-log.ts'
import { cookieValues, mayUseCookie } from '../requests/access-cookie.ts'
import { loginRequestFor, logRefusals } from '../requests/login-request.ts'
import { pathId } from '../requests/path-id.ts'
import { publicUrl } from '../requests/public-url.ts'
import { tokensFor } from '../requests/tokens.ts'
import { BODY, noContent, responses, sendNoContent } from '../responses/responses.ts'
import type { App, Service } from '../service.ts'
import { contextOf } from './password-links.ts'

/** The page of the app to which issuers send browsers back. */
export const CALLBACK = '/sso/callback'

const COOKIE = 'svc_sso'
const bodyLimit = 8 * 1024

export function ssoContextOf({ issuers, providerSecrets: secrets }: Service): SsoContext {
  return { issuers, secrets }
}

/** Routes for logins at a school's identity provider, and for the links between users and people there. */
export function ssoRoutes(app: App, service: Service): void {
  const { db } = service
  const flow = (): SsoFlow => ({
    ...ssoContextOf(service),
    requests: service.ssoRequests,
    callback: publicUrl(app, service).replace(/\/$/, '') + CALLBACK,
    now: service.now(),
  })

  app.get(
    '/auth/sso/:id',
    operation('auth', {
      open: true,
      operationId: 'getSsoSchool',
      summary: 'Read which school a login page is for, and its issuer',
      description: 'Use it for the page at which users of a school log in. 404 without an identity provider.',
      returns: 'The name of the school, and its issuer.',
      params: pathId('school'),
      response: responses({ 200: ref(SsoSchoolSchema) }, 404),
    }),
    async ({ params: { id } }) => {
      const { issuer } = await requireProvider(db, id, ssoContextOf(service))
      const { name } = await requireTenant(db, id)
      return { school: name, issuer }
    },
  )

  app.post(
    '/auth/sso',
    operation('auth', {
      bodyLimit,
      compress: false,
      open: true,
      needsNoTurn: true,
      faultsFor: oneProof('school', 'invitation'),
      operationId: 'beginSso',
      summary: "Begin a login at a school's issuer, or accept an invitation there",
      description:
        "Sets a cookie for this browser, and returns the issuer's address to go to (code flow with PKCE, state and nonce). The issuer sends the browser back to `/sso/callback`, whose query belongs into `POST /auth/sso/callback`, within ten minutes.",
      returns: 'The address at the issuer.',
      body: ref(SsoStartSchema),
      response: responses({ 200: ref(SsoStartedSchema) }, 401, 404, 429, ...BODY),
    }),
    async (request, reply) => {
      const { school = '', invitation, fresh: isFresh = false } = request.body
      const context = contextOf(request, service)
      const start =
        invitation === undefined
          ? await beginLogin(db, { school, isFresh }, flow())
          : await beginInvitation(db, invitation, { ...flow(), context })
      return started(reply, start)
    },
  )

  app.post(
    '/auth/sso/callback',
    operation('auth', {
      bodyLimit,
      compress: false,
      open: true,
      needsNoTurn: true,
      operationId: 'completeSso',
      summary: "Complete a login with the issuer's answer",
      description:
        'Logs in the user whom an invitation, or the user, has linked to the person; never by an address. 401 `sso_failed` for an answer that this browser has not asked for, has used, or that is not valid; 403 `not_linked` if nobody is linked; 409 `identity_taken` if another user of the school is.',
      returns: 'Both tokens and their lifetimes; the cookies are set.',
      body: ref(SsoAnswerSchema),
      response: responses({ 200: ref(TokensSchema) }, 401, 403, 404, 409, 429, ...BODY),
    }),
    async (request, reply) => {
      const answer = answerIn(request, reply, service)
      const login = await loginRequestFor(request, app, service)
      const context = contextOf(request, service)
      const work = () => completeLogin(db, answer, { ...flow(), login, context })
      const session = await logRefusals(request, { by: 'sso' }, work)
      const { tid: tenant_id, sub: user_id } = session.claims
      request.log.info({ event: 'login_succeeded', ip: request.ip, tenant_id, user_id, by: 'sso' }, 'login')
      return tokensFor(session, service, reply)
    },
  )

  app.get(
    '/auth/identity',
    operation('auth', {
      permission: 'keep_an_account',
      operationId: 'getIdentity',
      summary: 'Read the link to your person at the issuer',
      description:
        'Use it to show whether you can log in at the issuer of your school. 404 if you are not linked.',
      returns: 'The issuer, and since when you are linked.',
      response: responses({ 200: ref(IdentitySchema) }, 401, 404),
    }),
    async ({ session: { user } }) => {
      const identity = await findIdentity(db, user.id)
      if (!identity) throw notFound()
      return identity
    },
  )

  app.post(
    '/auth/identity/options',
    operation('auth', {
      compress: false,
      permission: 'keep_an_account',
      operationId: 'beginIdentity',
      summary: 'Begin to link yourself to a person at the issuer; needs a recent proof',
      description:
        'As `POST /auth/sso`, but the answer belongs into `POST /auth/identity`. The issuer asks for the login again.',
      returns: 'The address at the issuer.',
      response: responses({ 200: ref(SsoStartedSchema) }, 401, 403, 404, ...BODY),
    }),
    async ({ session }, reply) => started(reply, await beginLink(db, session, flow())),
  )

  app.post(
    '/auth/identity',
    operation('auth', {
      bodyLimit,
      permission: 'keep_an_account',
      operationId: 'linkIdentity',
      summary: "Link yourself to the person of the issuer's answer; needs a recent proof",
      description:
        'In the session and the browser in which it began. 401 `sso_failed` otherwise; 409 `identity_taken` if another user of the school is linked to the person. Replaces an earlier link.',
      returns: 'The link.',
      body: ref(SsoAnswerSchema),
      response: responses({ 200: ref(IdentitySchema) }, 401, 403, 404, 409, ...BODY),
    }),
    async (request, reply) => {
      const { actor, session } = request
      const answer = { ...answerIn(request, reply, service), session }
      const who = { user_id: session.user.id, tenant_id: session.tenant.id }
      const identity = await logRefusals(request, who, () => completeLink(db, actor, answer, flow()))
      logAccess(request, 'identity_linked')
      return identity
    },
  )

  app.delete(
    '/auth/identity',
    operation('auth', {
      permission: 'keep_an_account',
      operationId: 'unlinkIdentity',
      summary: 'End the link to your person at the issuer; needs a recent proof',
      description: '409 `required_by_school` if you may log in only there. Sessions stay.',
      response: responses({ 204: noContent('The link has ended') }, 401, 403, 404, 409, ...BODY),
    }),
    async (request, reply) => {
      await unlink(db, request.actor, request.session)
      logAccess(request, 'identity_unlinked')
      return sendNoContent(reply)
    },
  )
}

const attributes = { path: '/api/v1/auth', httpOnly: true, secure: true, sameSite: 'strict' } as const

function started(reply: FastifyReply, { url, sealed }: SsoStart): { url: string } {
  reply.setCookie(COOKIE, sealed, { ...attributes, maxAge: SSO_SECONDS })
  return { url }
}

/** Returns the browser's request with the answer, and clears its cookie. Throws `sso_failed` without one, or with two. */
function answerIn(
  request: FastifyRequest<{ Body: { parameters: string } }>,
  reply: FastifyReply,
  { config }: Service,
): { readonly sealed: string; readonly parameters: string } {
  const [sealed, another] = cookieValues(request, COOKIE)
  if (sealed === undefined || another !== undefined || !mayUseCookie(request, config))
    throw new Problem('sso_failed', { params: { reason: 'no_request' } })
  reply.setCookie(COOKIE, '', { ...attributes, maxAge: 0 })
  return { sealed, parameters: request.body.parameters }
}
