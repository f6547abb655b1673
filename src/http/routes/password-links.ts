import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { accountFor } from '../../auth/login.ts'
import {
  acceptInvitation,
  countResetRequest,
  findInvitation,
  type LinkContext,
  resetPassword,
} from '../../auth/password-links.ts'
import { mailReset } from '../../booking/users/request-reset.ts'
import {
  PasswordChoiceSchema,
  ResetRequestedSchema,
  ResetRequestSchema,
  TokensSchema,
} from '../../contract/auth.ts'
import { ref } from '../../contract/fields.ts'
import { InvitationSchema } from '../../contract/user.ts'
import { strangerFrom } from '../load/fair-queue.ts'
import { inQueueOf } from '../load/queue-requests.ts'
import { operation } from '../operation.ts'
import { linksOf } from '../pages/password-pages.ts'
import { clientNetwork } from '../requests/client-network.ts'
import { deviceOf } from '../requests/device-of.ts'
import { tokensFor } from '../requests/tokens.ts'
import { sendWhole } from '../responses/list-reply.ts'
import { BODY, noContent, readable, responses, sendNoContent } from '../responses/responses.ts'
import type { App, Service } from '../service.ts'

const bodyLimit = 4 * 1024
export const tokenParams = Type.Object({
  token: Type.String({
    description: 'The part of the link after `#`. One that is unknown, used or expired is 404.',
  }),
})

export function passwordLinkRoutes(app: App, service: Service): void {
  app.get(
    '/auth/invitations/:token',
    operation('auth', {
      open: true,
      operationId: 'getInvitation',
      summary: 'Read the invitation behind a link',
      description: 'Use it to show an invited user the school and the login before they set a password.',
      returns: 'The invitation behind the link.',
      params: tokenParams,
      response: readable(ref(InvitationSchema), 404, 429),
    }),
    async (request, reply) => {
      const invitation = await findInvitation(service.db, request.params.token, contextOf(request, service))
      return sendWhole(request, reply, JSON.stringify(invitation))
    },
  )

  app.post(
    '/auth/invitations/:token',
    operation('auth', {
      bodyLimit,
      compress: false,
      open: true,
      needsNoTurn: true,
      operationId: 'acceptInvitation',
      summary: 'Accept an invitation: set the password and log in',
      description:
        'Works once; the link ends with it. A password that is too common or too short is a 400. 403 `sso_required` if users of the school log in at its issuer: `POST /auth/sso` accepts the invitation there.',
      returns: "The user's tokens; the cookies are set.",
      params: tokenParams,
      body: ref(PasswordChoiceSchema),
      response: responses({ 200: ref(TokensSchema) }, 403, 404, 429, ...BODY),
    }),
    async (request, reply) => {
      const choice = { ...request.params, ...request.body }
      const session = await acceptInvitation(service.db, choice, {
        ...contextOf(request, service),
        device: await deviceOf(request),
        secrets: service.refreshSecrets,
      })
      const { tid: tenant_id, sub: user_id } = session.claims
      request.log.info(
        { event: 'invitation_accepted', ip: request.ip, tenant_id, user_id },
        'invitation accepted',
      )
      return tokensFor(session, service, reply)
    },
  )

  const mailing = new Set<Promise<void>>()
  app.addHook('onClose', async () => void (await Promise.all(mailing)))
  app.post(
    '/auth/password-resets',
    operation('auth', {
      bodyLimit,
      open: true,
      operationId: 'requestPasswordReset',
      summary: 'Request a mailed link to set another password',
      description:
        'Use it for “Forgot your password?”. The response is the same whether or not an account has the address; the link is valid for 30 minutes.',
      returns: 'Whether this service sends mail.',
      body: ref(ResetRequestSchema),
      response: responses({ 202: ref(ResetRequestedSchema) }, 429, ...BODY),
    }),
    async (request, reply) => {
      const account = accountFor(request.body.email)
      const context = contextOf(request, service)
      await countResetRequest(service.db, account, context)
      const links = linksOf(app, service)
      if (links.isMailed) {
        // Not awaited: its duration would reveal whether an account has the address.
        const work = inQueueOf(service, strangerFrom(context.network), () =>
          mailReset(service.db, account, links, context),
        )
          .catch((err: unknown) => request.log.error({ err, event: 'reset_not_mailed' }, 'reset not mailed'))
          .finally(() => mailing.delete(work))
        mailing.add(work)
      }
      reply.code(202)
      return { by_mail: links.isMailed }
    },
  )

  app.post(
    '/auth/password-resets/:token',
    operation('auth', {
      bodyLimit,
      open: true,
      needsNoTurn: true,
      operationId: 'resetPassword',
      summary: 'Set another password, once; ends all sessions of the user',
      description:
        'Works once, with the token of a mailed link or of one created by an owner. It does not log the user in.',
      params: tokenParams,
      body: ref(PasswordChoiceSchema),
      response: responses({ 204: noContent('The password is set') }, 404, 429, ...BODY),
    }),
    async (request, reply) => {
      const choice = { ...request.params, ...request.body }
      const { user, revoked } = await resetPassword(service.db, choice, contextOf(request, service))
      service.sessions.forget(revoked)
      const who = { tenant_id: user.tenant_id, user_id: user.id }
      request.log.info({ event: 'password_reset', ip: request.ip, ...who }, 'password reset')
      return sendNoContent(reply)
    },
  )
}

export function contextOf(request: FastifyRequest, { config, now }: Service): LinkContext {
  return { network: clientNetwork(request), limits: config.loginLimits, now: now(), set_id: request.id }
}
