import { proofOptions, renewProof } from '../../auth/proof.ts'
import { makeRecoveryCodes, switchSecondFactor } from '../../auth/second-factor.ts'
import { ref } from '../../contract/fields.ts'
import {
  CeremonyOptionsSchema,
  RecoveryCodesSchema,
  SecondFactorChangeSchema,
  SecondFactorSchema,
} from '../../contract/passkey.ts'
import { oneProof, ProofSchema } from '../../contract/proof.ts'
import { findSecondFactor } from '../../db/accounts/second-factors.ts'
import { operation } from '../operation.ts'
import { logAccess } from '../request-log.ts'
import { ceremonyOf, loginRequestFor, logRefusals } from '../requests/login-request.ts'
import { BODY, noContent, responses, sendNoContent } from '../responses/responses.ts'
import type { App, Service } from '../service.ts'
import { PASSKEY_BODY_LIMIT } from './passkey-login.ts'

export function secondFactorRoutes(app: App, service: Service): void {
  const { db } = service

  app.get(
    '/auth/second-factor',
    operation('auth', {
      permission: 'keep_an_account',
      beforeSecondFactor: true,
      operationId: 'getSecondFactor',
      summary: 'Read whether a second factor is required, and how many recovery codes are left',
      description: 'Use it to show the state of the second factor.',
      returns: 'The state of the second factor.',
      response: responses({ 200: ref(SecondFactorSchema) }, 401),
    }),
    async ({ session: { user } }) => findSecondFactor(db, user.id),
  )

  app.patch(
    '/auth/second-factor',
    operation('auth', {
      permission: 'keep_an_account',
      beforeSecondFactor: true,
      operationId: 'switchSecondFactor',
      summary: 'Require a second factor in addition to the password, or not; needs a recent proof',
      description:
        '409 `no_passkey` if you switch it on with neither a passkey nor an authenticator app, `required_by_school` if you switch it off although the school requires one. 403 `proof_required` without a proof of the last five minutes (`POST /auth/proof`).',
      returns: 'The state of the second factor as changed.',
      body: ref(SecondFactorChangeSchema),
      response: responses({ 200: ref(SecondFactorSchema) }, 401, 403, 409, ...BODY),
    }),
    async (request) => {
      const { actor, session, body } = request
      const factor = await switchSecondFactor(db, actor, session, body.enabled)
      logAccess(request, body.enabled ? 'second_factor_enabled' : 'second_factor_disabled')
      return factor
    },
  )

  app.post(
    '/auth/recovery-codes',
    operation('auth', {
      permission: 'keep_an_account',
      beforeSecondFactor: true,
      operationId: 'makeRecoveryCodes',
      summary: 'Create ten recovery codes in place of the old ones; needs a recent proof',
      description:
        'Use them to log in if you lose your passkey or your authenticator app. They cannot be shown again, and the old ones stop working.',
      returns: 'Ten codes, each valid for one login.',
      response: responses({ 200: ref(RecoveryCodesSchema) }, 401, 403, ...BODY),
    }),
    async (request) => {
      const codes = await makeRecoveryCodes(db, request.actor, request.session)
      logAccess(request, 'recovery_codes_made')
      return { codes: [...codes] }
    },
  )

  app.post(
    '/auth/proof/options',
    operation('auth', {
      permission: 'keep_an_account',
      beforeSecondFactor: true,
      operationId: 'proofOptions',
      summary: 'Get the options for confirming your identity with a passkey',
      description: 'Pass the response to `navigator.credentials.get` and its result to `POST /auth/proof`.',
      returns: 'The options for the browser, with a challenge that is valid for five minutes.',
      response: responses({ 200: ref(CeremonyOptionsSchema) }, 401, ...BODY),
    }),
    async ({ session }) => proofOptions(service.db, session, ceremonyOf(app, service)),
  )

  app.post(
    '/auth/proof',
    operation('auth', {
      bodyLimit: PASSKEY_BODY_LIMIT,
      permission: 'keep_an_account',
      beforeSecondFactor: true,
      needsNoTurn: true,
      faultsFor: oneProof('password', 'passkey', 'totp'),
      operationId: 'prove',
      summary:
        'Confirm your identity by password, passkey or authenticator app; valid for five minutes in this session',
      description:
        'Use it after a 403 `proof_required`. Send exactly one of `password`, `passkey` and `totp`; a wrong one counts as a failed login.',
      body: ref(ProofSchema),
      response: responses({ 204: noContent('The session is confirmed for five minutes') }, 401, 429, ...BODY),
    }),
    async (request, reply) => {
      const { session, body } = request
      const login = await loginRequestFor(request, app, service)
      const who = { user_id: session.user.id, tenant_id: session.tenant.id }
      await logRefusals(request, who, () => renewProof(service.db, session, body, login))
      return sendNoContent(reply)
    },
  )
}
