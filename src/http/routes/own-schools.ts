import { Type } from 'typebox'
import { listOwnSchools, switchSchool } from '../../auth/own-schools.ts'
import { TokensSchema } from '../../contract/auth.ts'
import { Id, ref } from '../../contract/fields.ts'
import { OwnSchoolSchema } from '../../contract/own-school.ts'
import { operation } from '../operation.ts'
import { logAccess } from '../request-log.ts'
import { loginRequestFor } from '../requests/login-request.ts'
import { tokensFor } from '../requests/tokens.ts'
import { BODY, responses } from '../responses/responses.ts'
import type { App, Service } from '../service.ts'

const params = Type.Object({
  id: { ...Id, description: 'The id of a school of `GET /auth/schools`; any other is 404.' },
})

export function ownSchoolRoutes(app: App, service: Service): void {
  const { db, sessions } = service

  app.get(
    '/auth/schools',
    operation('auth', {
      permission: 'keep_an_account',
      operationId: 'listOwnSchools',
      summary: 'List the schools that the password of this login opened, by name',
      description:
        'Use it after a login: more than one means that users of several schools have the address and the password. A login by passkey opens one school.',
      returns: 'The school of the session, and those to switch to.',
      response: responses({ 200: Type.Array(ref(OwnSchoolSchema)) }, 401),
    }),
    async ({ session }) => [...(await listOwnSchools(db, session))],
  )

  app.post(
    '/auth/schools/:id',
    operation('auth', {
      compress: false,
      permission: 'keep_an_account',
      operationId: 'switchSchool',
      summary: 'Go on at another school that the login opened; this session ends',
      description:
        'Takes an `id` of `GET /auth/schools`; any other school is 404. A 401 `second_factor_required` carries in `params.options` the options for `POST /auth/login/second-factor`. Changes of passkeys, of the second factor and of the address need a new proof there.',
      returns: 'The tokens of the new session; the cookies are set.',
      params,
      response: responses({ 200: ref(TokensSchema) }, 401, 403, 404, ...BODY),
    }),
    async (request, reply) => {
      const login = await loginRequestFor(request, app, service)
      const next = await switchSchool(db, request.session, request.params.id, login)
      sessions.forget([request.session.familyId])
      const { tid, sub } = next.claims
      logAccess(request, 'school_switched', { to_tenant_id: tid, to_user_id: sub })
      return tokensFor(next, service, reply)
    },
  )
}
