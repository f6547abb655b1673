import type { Links } from '../booking/hand-out-link.ts'
import { isMailSetUp } from '../config.ts'
import type { LinkKind } from '../db/password-links.ts'
import { publicUrl } from './public-url.ts'
import type { App, Service } from './service.ts'

/** Where the web app lets users set their passwords and confirm their addresses. What follows `#` never reaches a server, and so no log. */
const PAGES: Readonly<Record<LinkKind, string>> = {
  invitation: '/invitation',
  reset: '/password-reset',
  email_old: '/email-change',
  email_new: '/email-change',
}

/** How the links of this service are handed out. To be asked once it listens. */
export function linksOf(app: App, service: Pick<Service, 'config'>): Links {
  return {
    urlOf: (kind, secret) => `${publicUrl(app, service)}${PAGES[kind]}#${secret}`,
    isMailed: isMailSetUp(service.config),
  }
}
