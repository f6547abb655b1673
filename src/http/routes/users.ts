import type { FastifyRequest } from 'fastify'
import { changeUser } from '../../booking/users/change-user.ts'
import { inviteAgain, inviteUser, linkToReset } from '../../booking/users/invite-user.ts'
import { withdrawInvitation } from '../../booking/users/withdraw-invitation.ts'
import { ref } from '../../contract/fields.ts'
import { notFound } from '../../contract/problem.ts'
import {
  InvitationAgainSchema,
  InvitedUserSchema,
  NewUserSchema,
  PasswordLinkSchema,
  SchoolUserSchema,
  UserChangeSchema,
  userFaultsFor,
} from '../../contract/user.ts'
import { findSchoolUser, listSchoolUsers } from '../../db/accounts/school-users.ts'
import { operation } from '../operation.ts'
import { linksOf } from '../pages/password-pages.ts'
import { clientNetwork } from '../requests/client-network.ts'
import { idempotencyKey, makeOnce } from '../requests/idempotency.ts'
import { pathId } from '../requests/path-id.ts'
import { expectedVersion, sendComputed, sendVersioned } from '../responses/entity-tag.ts'
import { sendList } from '../responses/list-reply.ts'
import { BODY, readable, responses, sendNoContent } from '../responses/responses.ts'
import { changes, deletes, lists } from '../route-schemas.ts'
import type { App, Service } from '../service.ts'

const params = pathId('user')

export function userRoutes(app: App, service: Service): void {
  const { db, sessions } = service

  app.get(
    '/users',
    operation('users', {
      permission: 'admit_users',
      operationId: 'listUsers',
      summary: 'List the users of the school, by name, id',
      description: 'Only for owners. Shows each login with its role and the state of its invitation.',
      returns: 'The users of the school.',
      ...lists(SchoolUserSchema, {}, 403),
    }),
    async (request, reply) => sendList(request, reply, listSchoolUsers(db, request.actor.tenant.id)),
  )

  app.post(
    '/users',
    operation('users', {
      permission: 'admit_users',
      faultsFor: userFaultsFor,
      operationId: 'inviteUser',
      summary: 'Invite a user: returns the link by which the user sets a password within 7 days',
      description:
        'Pass the link on yourself unless `is_mailed` is true. A request without the `Idempotency-Key` of the first one is 409 `email_taken`; `POST /users/{id}/invitation` creates another link.',
      returns: 'The user, and the link that lets them in.',
      headers: idempotencyKey,
      body: ref(NewUserSchema),
      sends: ['Location'],
      response: responses({ 201: ref(InvitedUserSchema) }, 401, 403, 404, 409, 422, 429, ...BODY),
    }),
    async (request, reply) => {
      const { actor, body } = request
      const { linkSeals: seals } = service
      const { value, json } = await makeOnce(service, request, (key) =>
        inviteUser(service.db, actor, body, { ...invitingFrom(request, app, service), seals, key }),
      )
      const { user, invitation } = value
      reply.code(201).header('location', `${request.routeOptions.url}/${user.id}`)
      if (json !== undefined) reply.header('idempotency-replayed', 'true')
      return { user, invitation: { ...invitation, url: seals.open(user.id, invitation.url) } }
    },
  )

  app.get(
    '/users/:id',
    operation('users', {
      permission: 'admit_users',
      operationId: 'getUser',
      summary: 'Read a user of the school',
      description: 'Only for owners. All users read their own account by `GET /auth/me`.',
      returns: 'The user.',
      params,
      response: readable(ref(SchoolUserSchema), 401, 403, 404),
    }),
    async (request, reply) => {
      const { actor, params } = request
      const user = await findSchoolUser(db, actor.tenant.id, params.id)
      if (!user) throw notFound()
      return sendComputed(request, reply, user)
    },
  )

  app.patch(
    '/users/:id',
    operation('users', {
      permission: 'admit_users',
      operationId: 'changeUser',
      summary: "Change a user's name or role, or disable the login",
      description:
        'Only for owners. Disabling a user ends the sessions; 409 `last_owner` if no other owner can log in.',
      returns: 'The user as changed.',
      params,
      ...changes(UserChangeSchema, SchoolUserSchema, 404, 409),
    }),
    async (request, reply) => {
      const { actor, params, body } = request
      const intent = { change: body, isExpected: expectedVersion(request) }
      const { user, revoked } = await changeUser(db, actor, params.id, intent)
      sessions.forget(revoked)
      sessions.forgetTenant(actor.tenant.id)
      return sendVersioned(reply, user)
    },
  )

  app.delete(
    '/users/:id',
    operation('users', {
      permission: 'admit_users',
      operationId: 'withdrawInvitation',
      summary: 'Delete a user who has never set a password; the link and its mail end',
      description:
        'Use it for an invitation sent by mistake. 409 `invitation_accepted` once the user has set a password: disable the user instead.',
      params,
      ...deletes('The user is deleted', 409),
    }),
    async (request, reply) =>
      sendNoContent(
        reply,
        withdrawInvitation(db, request.actor, request.params.id, expectedVersion(request)),
      ),
  )

  app.post(
    '/users/:id/invitation',
    operation('users', {
      permission: 'admit_users',
      bodyOptional: true,
      operationId: 'inviteAgain',
      summary:
        'Create a new link for an invited user, to a corrected address if one is given; the old one ends',
      description:
        'Use it if the first link expired or went to a wrong address. 409 `invitation_accepted` if the user has set a password, `email_taken` if the corrected address is in use.',
      returns: 'The new link.',
      params,
      body: ref(InvitationAgainSchema),
      response: responses({ 200: ref(PasswordLinkSchema) }, 401, 403, 404, 409, 429, ...BODY),
    }),
    async (request) => {
      const { actor, params, body } = request
      return inviteAgain(service.db, actor, params.id, { ...body, ...invitingFrom(request, app, service) })
    },
  )

  app.post(
    '/users/:id/password-reset',
    operation('users', {
      permission: 'admit_users',
      operationId: 'linkToReset',
      summary: 'Create a link to set another password within 30 minutes; an old one ends',
      description:
        'Use it if the service sends no mail or the user cannot read it. 409 `user_inactive` for a user who is disabled or has not accepted the invitation.',
      returns: 'The link, shown only once.',
      params,
      response: responses({ 200: ref(PasswordLinkSchema) }, 401, 403, 404, 409, 429, ...BODY),
    }),
    async ({ actor, params }) => linkToReset(service.db, actor, params.id, linksOf(app, service)),
  )
}

function invitingFrom(request: FastifyRequest, app: App, service: Service) {
  const { config } = service
  return { network: clientNetwork(request), limits: config.loginLimits, links: linksOf(app, service) }
}
