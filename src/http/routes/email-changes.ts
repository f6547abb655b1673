import type { FastifyRequest } from 'fastify'
import { confirmEmailChange, findEmailChange, stopEmailChange } from '../../auth/email-change.ts'
import { changeEmail } from '../../booking/users/change-email.ts'
import {
  EmailChangeLinkSchema,
  EmailChangeSchema,
  EmailConfirmationSchema,
  NewEmailSchema,
} from '../../contract/email-change.ts'
import { ref } from '../../contract/fields.ts'
import { operation } from '../operation.ts'
import { linksOf } from '../pages/password-pages.ts'
import { logAccess } from '../request-log.ts'
import { clientNetwork } from '../requests/client-network.ts'
import { pathId } from '../requests/path-id.ts'
import { sendWhole } from '../responses/list-reply.ts'
import { BODY, noContent, readable, responses, sendNoContent } from '../responses/responses.ts'
import type { App, Service } from '../service.ts'
import { contextOf, tokenParams } from './password-links.ts'

const bodyLimit = 4 * 1024
export function emailChangeRoutes(app: App, service: Service): void {
  app.post(
    '/auth/email-change',
    operation('auth', {
      bodyLimit,
      permission: 'keep_an_account',
      operationId: 'changeOwnEmail',
      summary: 'Change your login address; needs a recent proof',
      description,
      returns: 'The new address, and whether it is already valid.',
      body: ref(NewEmailSchema),
      response: responses({ 200: ref(EmailChangeSchema) }, 401, 403, 409, 429, ...BODY),
    }),
    async (request) => change(request, request.session.user.id, request.body, { app, service }),
  )

  app.post(
    '/users/:id/email-change',
    operation('users', {
      bodyLimit,
      permission: 'admit_users',
      operationId: 'changeUserEmail',
      summary: 'Change the login address of an active user; needs a recent proof of the owner',
      description,
      returns: 'The new address, and whether it is already valid.',
      params: pathId('user'),
      body: ref(NewEmailSchema),
      response: responses({ 200: ref(EmailChangeSchema) }, 401, 403, 404, 409, 429, ...BODY),
    }),
    async (request) => change(request, request.params.id, request.body, { app, service }),
  )

  app.get(
    '/auth/email-changes/:token',
    operation('auth', {
      open: true,
      operationId: 'getEmailChange',
      summary: 'Read the change of address behind a link',
      description: 'Use it to show the change before the user confirms it.',
      returns: 'The change behind the link.',
      params: tokenParams,
      response: readable(ref(EmailChangeLinkSchema), 404, 429),
    }),
    async (request, reply) => {
      const found = await findEmailChange(service.db, request.params.token, contextOf(request, service))
      return sendWhole(request, reply, JSON.stringify(found))
    },
  )

  app.post(
    '/auth/email-changes/:token',
    operation('auth', {
      bodyLimit,
      open: true,
      operationId: 'confirmEmailChange',
      summary: 'Confirm a change of address; once both addresses have, all sessions of the user end',
      description:
        'Each of the two addresses confirms with its own link. 409 `email_taken` if another login has taken the new address in the meantime.',
      returns: 'Whether the new address is valid now.',
      params: tokenParams,
      response: responses({ 200: ref(EmailConfirmationSchema) }, 404, 409, 429, ...BODY),
    }),
    async (request) => {
      const context = contextOf(request, service)
      const { user, is_changed, revoked } = await confirmEmailChange(
        service.db,
        request.params.token,
        context,
      )
      service.sessions.forget(revoked)
      const event = is_changed ? 'email_changed' : 'email_change_confirmed'
      request.log.info({ event, ip: request.ip, tenant_id: user.tenant_id, user_id: user.id }, event)
      return { is_changed }
    },
  )

  app.delete(
    '/auth/email-changes/:token',
    operation('auth', {
      bodyLimit,
      open: true,
      operationId: 'stopEmailChange',
      summary: 'Stop a change of address, from either address',
      description: 'Use it for a change that the user did not request. Both links end.',
      params: tokenParams,
      response: responses({ 204: noContent('The old address stays') }, 404, 429, ...BODY),
    }),
    async (request, reply) => {
      const user = await stopEmailChange(service.db, request.params.token, contextOf(request, service))
      const who = { tenant_id: user.tenant_id, user_id: user.id }
      request.log.info({ event: 'email_change_stopped', ip: request.ip, ...who }, 'change of address stopped')
      return sendNoContent(reply)
    },
  )
}

const description =
  'If mail is set up, both addresses get a link, and the old address stays valid until both are confirmed within a day. If it is not, an owner changes the address at once, and the sessions of the user end.'

async function change(
  request: FastifyRequest,
  id: string,
  { email }: { readonly email: string },
  { app, service }: { readonly app: App; readonly service: Service },
) {
  const { actor, session } = request
  const { db, config, sessions } = service
  const context = {
    network: clientNetwork(request),
    limits: config.loginLimits,
    links: linksOf(app, service),
  }
  const outcome = await changeEmail(db, actor, { id, email, session }, context)
  sessions.forget(outcome.revoked)
  sessions.forgetTenant(actor.tenant.id)
  logAccess(request, outcome.change.is_changed ? 'email_changed' : 'email_change_requested')
  return outcome.change
}
