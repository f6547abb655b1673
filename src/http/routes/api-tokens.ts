import { Type } from 'typebox'
import { endApiToken, makeApiToken } from '../../auth/api-tokens.ts'
import { ApiTokenSchema, MadeApiTokenSchema, NewApiTokenSchema } from '../../contract/api-token.ts'
import { ref } from '../../contract/fields.ts'
import { listApiTokens } from '../../db/accounts/api-tokens.ts'
import { operation } from '../operation.ts'
import { logAccess } from '../request-log.ts'
import { pathId } from '../requests/path-id.ts'
import { BODY, noContent, responses, sendNoContent } from '../responses/responses.ts'
import type { App, Service } from '../service.ts'

const params = pathId('API token', 'user')

export function apiTokenRoutes(app: App, service: Service): void {
  const { db, sessions } = service

  app.get(
    '/auth/tokens',
    operation('auth', {
      permission: 'keep_an_account',
      operationId: 'listApiTokens',
      summary: 'List your API tokens, newest first',
      description:
        'Shows which programs act for you, and when each last did. Expired tokens are listed for 30 days.',
      returns: 'Your API tokens, without the tokens themselves.',
      response: responses({ 200: Type.Array(ref(ApiTokenSchema)) }, 401, 403),
    }),
    async ({ session: { user } }) => [...(await listApiTokens(db, user.id))],
  )

  app.post(
    '/auth/tokens',
    operation('auth', {
      permission: 'keep_an_account',
      operationId: 'makeApiToken',
      summary: 'Make an API token for a program; needs a recent proof',
      description:
        'For scripts and assistants that act for you: with your role or less, and until the token expires or is ended. It can neither read nor change logins, and whatever needs a proof is closed to it. 403 `proof_required` without a proof of the last five minutes (`POST /auth/proof`). It ends with your other sessions when your password or e-mail address changes.',
      returns:
        'The token, which is shown only once. `GET /auth/tokens` lists it; it cannot be read by itself.',
      body: ref(NewApiTokenSchema),
      response: responses({ 201: ref(MadeApiTokenSchema) }, 401, 403, ...BODY),
    }),
    async (request, reply) => {
      const { actor, session, body } = request
      const made = await makeApiToken(db, actor, session, body)
      logAccess(request, 'api_token_made', { token_id: made.id })
      reply.code(201).header('cache-control', 'no-store')
      return made
    },
  )

  app.delete(
    '/auth/tokens/:id',
    operation('auth', {
      permission: 'keep_an_account',
      operationId: 'endApiToken',
      summary: 'End one of your API tokens',
      description: 'The token stops working within 5 seconds.',
      params,
      response: responses({ 204: noContent('The token has ended') }, 401, 403, 404, ...BODY),
    }),
    async (request, reply) => {
      const { actor, session, params } = request
      sessions.forget(await endApiToken(db, actor, session, params.id))
      logAccess(request, 'api_token_ended', { token_id: params.id })
      return sendNoContent(reply)
    },
  )
}
