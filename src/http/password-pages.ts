import type { Links } from '../booking/hand-out-link.ts'
import { isMailSetUp } from '../config.ts'
import { publicUrl } from './public-url.ts'
import type { App, Service } from './service.ts'

/** Where the web app lets users set their passwords. What follows `#` never reaches a server, and so no log. */
const PAGES = { invitation: '/invitation', reset: '/password-reset' } as const

/** How the links of this service are handed out. To be asked once it listens. */
export function linksOf(app: App, service: Pick<Service, 'config'>): Links {
  return {
    urlOf: (kind, secret) => `${publicUrl(app, service)}${PAGES[kind]}#${secret}`,
    isMailed: isMailSetUp(service.config),
  }
}
