import { Type } from 'typebox'
import { addPasskey, offerPasskey, removePasskey, renamePasskey } from '../../auth/passkeys.ts'
import { ref } from '../../contract/fields.ts'
import {
  CeremonyOptionsSchema,
  NewPasskeySchema,
  PasskeyChangeSchema,
  PasskeySchema,
} from '../../contract/passkey.ts'
import { listPasskeys } from '../../db/accounts/passkeys.ts'
import { operation } from '../operation.ts'
import { logAccess } from '../request-log.ts'
import { ceremonyOf } from '../requests/login-request.ts'
import { pathId } from '../requests/path-id.ts'
import { BODY, noContent, responses, sendNoContent } from '../responses/responses.ts'
import type { App, Service } from '../service.ts'
import { PASSKEY_BODY_LIMIT } from './passkey-login.ts'

const params = pathId('passkey', 'user')

export function passkeyRoutes(app: App, service: Service): void {
  const { db } = service

  app.get(
    '/auth/passkeys',
    operation('auth', {
      permission: 'keep_an_account',
      beforeSecondFactor: true,
      operationId: 'listPasskeys',
      summary: 'List your passkeys, oldest first',
      description: 'Use it to let users recognise and remove the passkeys that they have.',
      returns: 'Your passkeys, without any keys.',
      response: responses({ 200: Type.Array(ref(PasskeySchema)) }, 401),
    }),
    async ({ session: { user } }) => listPasskeys(db, user.id),
  )

  app.post(
    '/auth/passkeys/options',
    operation('auth', {
      permission: 'keep_an_account',
      beforeSecondFactor: true,
      operationId: 'offerPasskey',
      summary: 'Get the options for creating a passkey; needs a recent proof',
      description:
        'Pass the response to `navigator.credentials.create` and its result to `POST /auth/passkeys`.',
      returns: 'The options for the browser, with a challenge that is valid for five minutes.',
      response: responses({ 200: ref(CeremonyOptionsSchema) }, 401, 403, ...BODY),
    }),
    async ({ session }) => offerPasskey(service.db, session, ceremonyOf(app, service)),
  )

  app.post(
    '/auth/passkeys',
    operation('auth', {
      permission: 'keep_an_account',
      beforeSecondFactor: true,
      bodyLimit: PASSKEY_BODY_LIMIT,
      operationId: 'addPasskey',
      summary: 'Add a passkey that the browser has created; needs a recent proof',
      description:
        'The credential must respond to a challenge from `POST /auth/passkeys/options` within five minutes, otherwise 400. 403 `proof_required` without a proof of the last five minutes (`POST /auth/proof`).',
      returns: 'The new passkey. `GET /auth/passkeys` lists it; it cannot be read by itself.',
      body: ref(NewPasskeySchema),
      response: responses({ 201: ref(PasskeySchema) }, 401, 403, ...BODY),
    }),
    async (request, reply) => {
      const { actor, session, body } = request
      const made = { session, ...body }
      const passkey = await addPasskey(service.db, actor, made, ceremonyOf(app, service))
      logAccess(request, 'passkey_added')
      reply.code(201)
      return passkey
    },
  )

  app.patch(
    '/auth/passkeys/:id',
    operation('auth', {
      permission: 'keep_an_account',
      beforeSecondFactor: true,
      operationId: 'renamePasskey',
      summary: 'Rename one of your passkeys',
      description: 'Changes only the name in the list.',
      returns: 'The passkey with its new name.',
      params,
      body: ref(PasskeyChangeSchema),
      response: responses({ 200: ref(PasskeySchema) }, 401, 404, ...BODY),
    }),
    async ({ actor, session, params: { id }, body: { name } }) =>
      renamePasskey(db, actor, { id, name }, session),
  )

  app.delete(
    '/auth/passkeys/:id',
    operation('auth', {
      permission: 'keep_an_account',
      beforeSecondFactor: true,
      operationId: 'removePasskey',
      summary: 'Remove one of your passkeys; needs a recent proof',
      description:
        'The passkey stops working at once. Removing the last one without an authenticator app also switches the second factor off: that needs a proof by password, and is 409 `required_by_school` if the school requires one.',
      params,
      response: responses({ 204: noContent('The passkey is removed') }, 401, 403, 404, 409, ...BODY),
    }),
    async (request, reply) => {
      const { actor, session, params } = request
      await removePasskey(db, actor, session, params.id)
      logAccess(request, 'passkey_removed')
      return sendNoContent(reply)
    },
  )
}
