import { Type } from 'typebox'
import { endOtherSessions, endSession } from '../../auth/own-sessions.ts'
import { ref } from '../../contract/fields.ts'
import { OwnSessionSchema } from '../../contract/own-session.ts'
import { listSessions } from '../../db/accounts/own-sessions.ts'
import { operation } from '../operation.ts'
import { pathId } from '../requests/path-id.ts'
import { BODY, noContent, responses, sendNoContent } from '../responses/responses.ts'
import type { App, Service } from '../service.ts'

const params = pathId('session', 'user')

export function ownSessionRoutes(app: App, service: Service): void {
  const { db, sessions } = service

  app.get(
    '/auth/sessions',
    operation('auth', {
      permission: 'keep_an_account',
      operationId: 'listSessions',
      summary: 'List your sessions, most recently used first',
      description: 'Shows where you are logged in: at most the 100 most recently used sessions.',
      returns: 'Your sessions.',
      response: responses({ 200: Type.Array(ref(OwnSessionSchema)) }, 401),
    }),
    async ({ session: { user, familyId } }) => [...(await listSessions(db, user.id, familyId))],
  )

  app.delete(
    '/auth/sessions/:id',
    operation('auth', {
      permission: 'keep_an_account',
      operationId: 'endSession',
      summary: 'End one of your sessions',
      description: 'Logs one device out. Its access token stops working within 5 seconds.',
      params,
      response: responses({ 204: noContent('The session has ended') }, 401, 404, ...BODY),
    }),
    async ({ actor, session, params: { id } }, reply) => {
      sessions.forget(await endSession(db, actor, session, id))
      return sendNoContent(reply)
    },
  )

  app.delete(
    '/auth/sessions',
    operation('auth', {
      permission: 'keep_an_account',
      operationId: 'endOtherSessions',
      summary: 'End all your sessions except this one',
      description: 'Use it after a device was lost. The current session stays.',
      response: responses({ 204: noContent('The others have ended') }, 401, ...BODY),
    }),
    async ({ actor, session }, reply) => {
      sessions.forget(await endOtherSessions(db, actor, session))
      return sendNoContent(reply)
    },
  )
}
