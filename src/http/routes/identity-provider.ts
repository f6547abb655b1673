import { ref } from '../../contract/fields.ts'
import {
  IdentityProviderSchema,
  issuerFaultsFor,
  NewIdentityProviderSchema,
} from '../../contract/identity-provider.ts'
import { notFound } from '../../contract/problem.ts'
import { findProvider, type StoredProvider } from '../../db/accounts/identity-providers.ts'
import { removeProvider, setProvider } from '../../sso/identity-providers.ts'
import { operation } from '../operation.ts'
import { logAccess } from '../request-log.ts'
import { publicUrl } from '../requests/public-url.ts'
import { BODY, noContent, responses, sendNoContent } from '../responses/responses.ts'
import type { App, Service } from '../service.ts'
import { CALLBACK, ssoContextOf } from './sso.ts'

/** Routes for the identity provider of the school. */
export function identityProviderRoutes(app: App, service: Service): void {
  const { db, sessions } = service
  const shown = ({ tenant_id, issuer, client_id, required, updated_at }: StoredProvider) => {
    const base = publicUrl(app, service).replace(/\/$/, '')
    return {
      ...{ issuer, client_id, required },
      callback_url: base + CALLBACK,
      logout_url: `${base}/sso/logout/${tenant_id}`,
      login_url: `${base}/sso?school=${tenant_id}`,
      updated_at,
    }
  }

  app.get(
    '/auth/identity-provider',
    operation('auth', {
      permission: 'run_the_school',
      operationId: 'getIdentityProvider',
      summary: "Read the school's identity provider, without its secret",
      description: 'Only for owners. 404 if there is none.',
      returns: 'The identity provider, with the addresses to register there.',
      response: responses({ 200: ref(IdentityProviderSchema) }, 401, 403, 404),
    }),
    async ({ actor }) => {
      const stored = await findProvider(db, actor.tenant.id)
      if (!stored) throw notFound()
      return shown(stored)
    },
  )

  app.put(
    '/auth/identity-provider',
    operation('auth', {
      permission: 'run_the_school',
      faultsFor: issuerFaultsFor,
      operationId: 'setIdentityProvider',
      summary: "Set the school's identity provider; needs a recent proof",
      description:
        "Only for owners. Reads the issuer's metadata first; an issuer that cannot be read is a 400. Another issuer ends all links to people. If it is required, sessions that began without it end, except those of owners with a second factor, of whom you must be one (409 `no_second_factor`).",
      returns: 'The identity provider as stored.',
      body: ref(NewIdentityProviderSchema),
      response: responses({ 200: ref(IdentityProviderSchema) }, 401, 403, 409, ...BODY),
    }),
    async (request) => {
      const { actor, session, body } = request
      const { provider, revoked } = await setProvider(db, actor, { session, ...body }, ssoContextOf(service))
      sessions.forget(revoked)
      logAccess(request, 'identity_provider_set')
      return shown(provider)
    },
  )

  app.delete(
    '/auth/identity-provider',
    operation('auth', {
      permission: 'run_the_school',
      operationId: 'removeIdentityProvider',
      summary: "Remove the school's identity provider; needs a recent proof",
      description:
        'Only for owners. All links to people there end; sessions stay. Users without a password need a link to set one.',
      response: responses({ 204: noContent('The identity provider is removed') }, 401, 403, 404, ...BODY),
    }),
    async (request, reply) => {
      await removeProvider(db, request.actor, request.session)
      logAccess(request, 'identity_provider_removed')
      return sendNoContent(reply)
    },
  )
}
