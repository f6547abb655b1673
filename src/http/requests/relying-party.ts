import { isIP } from 'node:net'
import type { RelyingParty } from '../../auth/ceremony.ts'
import type { App, Service } from '../service.ts'
import { publicUrl } from './public-url.ts'

/** An address that a browser on this machine calls `localhost`: passkeys are bound to names, never to numbers. */
const OWN_MACHINE = /^(?:127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\])$/

/**
 * For whom passkeys are made: the domain that service and app share, or else the service's own host; and the pages that may
 * use them, the service's own and the listed ones. Never of the request, whose `Host` anybody may write.
 */
export function relyingPartyOf(app: App, service: Pick<Service, 'config'>): RelyingParty {
  const { cookieDomain, corsOrigins } = service.config
  const url = new URL(publicUrl(app, service))
  if (OWN_MACHINE.test(url.hostname)) url.hostname = 'localhost'
  const { hostname, origin } = url
  return {
    id: cookieDomain && !isIP(cookieDomain) ? cookieDomain : hostname,
    origins: [origin, ...corsOrigins],
  }
}
