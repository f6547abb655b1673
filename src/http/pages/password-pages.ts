import type { Links } from '../../booking/users/hand-out-link.ts'
import { isMailSetUp } from '../../config.ts'
import type { LinkKind } from '../../db/accounts/password-links.ts'
import { publicUrl } from '../requests/public-url.ts'
import type { App, Service } from '../service.ts'

/** The web app's pages for links by mail. The part after `#` never reaches a server or a log. */
const PAGES: Readonly<Record<LinkKind, string>> = {
  invitation: '/invitation',
  reset: '/password-reset',
  email_old: '/email-change',
  email_new: '/email-change',
}

/** Returns the builder of links to this service. Call it when the service is listening. */
export function linksOf(app: App, service: Pick<Service, 'config'>): Links {
  return {
    urlOf: (kind, secret) => `${publicUrl(app, service)}${PAGES[kind]}#${secret}`,
    isMailed: isMailSetUp(service.config),
  }
}
