import { addTotp, offerTotp, removeTotp } from '../../auth/totp-factor.ts'
import { ref } from '../../contract/fields.ts'
import { SecondFactorSchema } from '../../contract/passkey.ts'
import { NewTotpSchema, TotpOfferSchema } from '../../contract/totp.ts'
import { operation } from '../operation.ts'
import { logAccess } from '../request-log.ts'
import { BODY, noContent, responses, sendNoContent } from '../responses/responses.ts'
import type { App, Service } from '../service.ts'

/** Routes for a user's authenticator app. */
export function totpRoutes(app: App, service: Service): void {
  const { db, totpSecrets: secrets } = service
  const context = () => ({ secrets, now: service.now() })

  app.post(
    '/auth/totp/options',
    operation('auth', {
      compress: false,
      permission: 'keep_an_account',
      beforeSecondFactor: true,
      operationId: 'offerTotp',
      summary: 'Get a new secret for an authenticator app; needs a recent proof',
      description:
        'Draw `uri` as a QR code on the device itself, then send the code that the app shows to `POST /auth/totp`. Nothing is stored before that.',
      returns: 'The secret, shown only once.',
      response: responses({ 200: ref(TotpOfferSchema) }, 401, 403, ...BODY),
    }),
    async ({ session }) => offerTotp(db, session, context()),
  )

  app.post(
    '/auth/totp',
    operation('auth', {
      permission: 'keep_an_account',
      beforeSecondFactor: true,
      operationId: 'addTotp',
      summary: 'Set up the authenticator app as second factor; needs a recent proof',
      description:
        'Takes the challenge of `POST /auth/totp/options` and the code that the app shows, otherwise 400. Replaces an app that was set up before. The second factor is switched on: from now on a login needs a code, or another second factor that the user has.',
      returns: 'The state of the second factor.',
      body: ref(NewTotpSchema),
      response: responses({ 200: ref(SecondFactorSchema) }, 401, 403, ...BODY),
    }),
    async (request) => {
      const { actor, session, body } = request
      const factor = await addTotp(db, actor, { session, ...body }, context())
      logAccess(request, 'totp_added')
      return factor
    },
  )

  app.delete(
    '/auth/totp',
    operation('auth', {
      permission: 'keep_an_account',
      operationId: 'removeTotp',
      summary: 'Remove the authenticator app; needs a recent proof',
      description:
        'Its codes stop working at once. Without a passkey the second factor is switched off, too: that needs a proof by password, and is 409 `required_by_school` if the school requires one. 404 if there is none.',
      response: responses(
        { 204: noContent('The authenticator app is removed') },
        401,
        403,
        404,
        409,
        ...BODY,
      ),
    }),
    async (request, reply) => {
      const { actor, session } = request
      await removeTotp(db, actor, session)
      logAccess(request, 'totp_removed')
      return sendNoContent(reply)
    },
  )
}
