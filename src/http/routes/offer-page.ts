import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptOffer } from '../../booking/offers/accept-offer.ts'
import { notFound, Problem } from '../../contract/problem.ts'
import type { ProblemCode } from '../../contract/problem-messages.ts'
import { queueRequests } from '../load/queue-requests.ts'
import { type OpenedOffer, offerViewOf, openedOffer } from '../pages/offer-data.ts'
import { type OfferView, offerPage } from '../pages/offer-html.ts'
import { FORM_POLICY } from '../pages/page-html.ts'
import { readerChecks } from '../requests/check-reader.ts'
import { openLink } from '../requests/open-link.ts'
import type { App, Service } from '../service.ts'
import { languageForRequest, PAGE_HEADERS, sendHtmlPage, sendNotice } from './student-page.ts'

/** The view for each problem with the offer, or with the student alone. */
const VIEWS: Readonly<Partial<Record<ProblemCode, OfferView>>> = {
  offer_gone: { kind: 'gone' },
  student_busy: { kind: 'busy' },
  too_many_appointments: { kind: 'full' },
}

/** Routes of the page on which a student accepts an offer: without a script, undocumented, and never compressed. */
export async function offerPageRoutes(app: App, service: Service): Promise<void> {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ ...PAGE_HEADERS, 'content-security-policy': FORM_POLICY })
    await openLink(request, service)
  })
  queueRequests(app, service, readerChecks(service))
  app.setErrorHandler(sendNotice)
  // The token in the address is the credential, so another site's form can do no more than anyone with the link.
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer', bodyLimit: 1024 },
    async () => undefined,
  )
  const options = { config: { open: true, link: 'offer' }, schema: { hide: true } } as const
  app.get('/o/:token', options, async (request, reply) => {
    return sendView(request, reply, await viewOf(request, service))
  })
  app.post('/o/:token', options, async (request, reply) => {
    const view = await accept(request, service)
    if (!('lesson' in view)) reply.code(409)
    return sendView(request, reply, view)
  })
  app.get('/o/*', options, async () => undefined)
}

function openedIn(request: FastifyRequest, service: Service): OpenedOffer {
  const { tenant, offer } = request.linked ?? {}
  if (!tenant || !offer) throw notFound()
  return openedOffer(request, service, { tenant, offer })
}

function viewOf(request: FastifyRequest, service: Service): Promise<OfferView> {
  return offerViewOf(service, openedIn(request, service), languageForRequest(request))
}

async function accept(request: FastifyRequest, service: Service): Promise<OfferView> {
  const { offer, actor } = openedIn(request, service)
  try {
    await acceptOffer(service.db, actor, offer)
  } catch (error) {
    const view = error instanceof Problem ? VIEWS[error.code] : undefined
    if (view) return view
    throw error
  }
  return viewOf(request, service)
}

function sendView(request: FastifyRequest, reply: FastifyReply, view: OfferView): FastifyReply {
  const { tenant } = request.linked ?? {}
  if (!tenant) throw notFound()
  return sendHtmlPage(reply, offerPage(view, { tenant, language: languageForRequest(request) }))
}
