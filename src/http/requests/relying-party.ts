import { isIP } from 'node:net'
import type { RelyingParty } from '../../auth/ceremony.ts'
import type { App, Service } from '../service.ts'
import { publicUrl } from './public-url.ts'

/** The addresses of this machine, replaced by `localhost`, because passkeys need a name. */
const OWN_MACHINE = /^(?:127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\])$/

/** Returns the domain of passkeys and the origins that may use them, never from `Host`, which any client can forge. */
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
