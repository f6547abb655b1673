import type { Links } from '../../booking/hand-out-link.ts'
import { isMailSetUp } from '../../config.ts'
import type { LinkKind } from '../../db/accounts/password-links.ts'
import { publicUrl } from '../requests/public-url.ts'
import type { App, Service } from '../service.ts'

/**
 * The pages of the web app on which users set their passwords and confirm their addresses. The part after `#` never reaches a
 * server or a log.
 */
const PAGES: Readonly<Record<LinkKind, string>> = {
  invitation: '/invitation',
  reset: '/password-reset',
  email_old: '/email-change',
  email_new: '/email-change',
}

/** Returns the way this service hands out links. Call it once the service listens. */
export function linksOf(app: App, service: Pick<Service, 'config'>): Links {
  return {
    urlOf: (kind, secret) => `${publicUrl(app, service)}${PAGES[kind]}#${secret}`,
    isMailed: isMailSetUp(service.config),
  }
}
