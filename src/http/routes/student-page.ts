import type { FastifyReply, FastifyRequest } from 'fastify'
import { languageFor } from '../../booking/packs/page-messages.ts'
import { languagesOf, PAGE_LANGUAGES } from '../../domain/page-languages.ts'
import { queueRequests } from '../load/queue-requests.ts'
import { noticePage, PAGE_POLICY } from '../pages/page-html.ts'
import { dataOf, sendLessons } from '../pages/student-data.ts'
import { studentPage } from '../pages/student-html.ts'
import { readerChecks } from '../requests/check-reader.ts'
import { openLink } from '../requests/open-link.ts'
import { serviceUrl } from '../requests/public-url.ts'
import { refuse } from '../responses/problems.ts'
import type { App, Service } from '../service.ts'

export const PAGE_HEADERS = {
  'cache-control': 'private, no-store',
  'content-security-policy': PAGE_POLICY,
  'x-robots-tag': 'noindex, nofollow',
  vary: 'Origin, accept-encoding, accept-language',
}

/** Read-only routes of a student's page and its calendar: undocumented, and never compressed because they contain the secret. */
export async function studentPageRoutes(app: App, service: Service): Promise<void> {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(PAGE_HEADERS)
    await openLink(request, service)
  })
  queueRequests(app, service, readerChecks(service))
  app.setErrorHandler(sendNotice)
  const options = { config: { open: true, link: 'page' }, schema: { hide: true } } as const
  app.get<{ Params: { token: string } }>('/s/:token', options, async (request, reply) => {
    const { cursor } = request.query as { cursor?: unknown }
    const data = await dataOf(request, service, typeof cursor === 'string' ? cursor : undefined)
    const look = {
      address: `${serviceUrl(app, service)}/s/${request.params.token}`,
      language: languageForRequest(request),
      languages: languagesOf(data.tenant.country),
    }
    return sendHtmlPage(reply, studentPage(data, look))
  })
  app.get('/s/:token.ics', options, async (request, reply) =>
    sendLessons(request, reply, { service, language: languageForRequest(request) }),
  )
  // An incompletely copied link gets the same page as any invalid one.
  app.get('/s/*', options, async () => undefined)
}

/** Returns the language of the query, the student or the browser, among those of the school's country if known. */
export function languageForRequest({ query, headers, linked }: FastifyRequest): string {
  const { lang } = query as { lang?: unknown }
  const asked = { lang: typeof lang === 'string' ? lang : undefined, accepted: headers['accept-language'] }
  if (!linked) return languageFor(asked, PAGE_LANGUAGES, 'en')
  const { tenant, page, offer, student } = linked
  const available: readonly string[] = languagesOf(tenant.country)
  const own = (page ?? offer ?? student)?.language
  const { language } = new Intl.Locale(tenant.locale)
  return languageFor({ ...asked, own }, available, available.includes(language) ? language : 'en')
}

export function sendNotice(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { code } = refuse(error, request, reply)
  return sendHtmlPage(reply, noticePage(languageForRequest(request), code === 'not_found'))
}

export function sendHtmlPage(reply: FastifyReply, html: string): FastifyReply {
  return reply.type('text/html; charset=utf-8').send(html)
}
