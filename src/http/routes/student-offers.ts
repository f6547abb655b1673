import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptOffer } from '../../booking/offers/accept-offer.ts'
import { isUuid } from '../../contract/formats.ts'
import { notFound, Problem } from '../../contract/problem.ts'
import type { ProblemCode } from '../../contract/problem-messages.ts'
import { findOfferTo } from '../../db/offers/offers-of-student.ts'
import { type OpenedOffer, offerViewOf, openedOffer } from '../pages/offer-data.ts'
import { ownOfferPage } from '../pages/offer-html.ts'
import type { Hint } from '../pages/verification-html.ts'
import { serviceUrl } from '../requests/public-url.ts'
import { isVerified, neededVerification, type OpenedPage } from '../requests/student-verification.ts'
import type { App, Service } from '../service.ts'
import { acceptForms, FORM_ROUTE, type FormRefusal, press, seeOther } from './student-forms.ts'
import { languageForRequest, sendHtmlPage } from './student-page.ts'

type PageRequest = FastifyRequest<{ Params: { readonly token: string; readonly offer: string } }>
type Opened = OpenedPage & OpenedOffer

/** The hints for problems of the student alone, which leave the offer open. */
const HINTS: Readonly<Partial<Record<ProblemCode, Hint>>> = {
  student_busy: { kind: 'busy' },
  too_many_appointments: { kind: 'many' },
}

/** Routes of an offer below its student's page: a form accepts it after the verification. Without a script, undocumented. */
export async function studentOfferRoutes(app: App, service: Service): Promise<void> {
  acceptForms(app, service)
  const send = async (
    request: PageRequest,
    reply: FastifyReply,
    opened: Opened,
    { hint, step }: Partial<FormRefusal> = {},
  ): Promise<FastifyReply> => {
    const language = languageForRequest(request)
    const address = `${serviceUrl(app, service)}/s/${request.params.token}`
    const offer = await offerViewOf(service, opened, language)
    const needed = isVerified(request, service, opened)
      ? undefined
      : (step ?? { kind: await neededVerification(service, opened) })
    const view = { offer, step: needed, hint }
    return sendHtmlPage(reply, ownOfferPage(view, { tenant: opened.tenant, address, language }))
  }
  app.get('/s/:token/offers/:offer', FORM_ROUTE, async (request: PageRequest, reply) =>
    send(request, reply, await openOffer(request, service)),
  )
  app.post('/s/:token/offers/:offer', FORM_ROUTE, async (request: PageRequest, reply) => {
    const opened = await openOffer(request, service)
    const acts = { accept: () => accept(service, opened) }
    const refused = await press(request, reply, { service, opened, acts })
    if (!refused) return seeOther(request, reply)
    return send(request, reply.code(refused.status), opened, refused)
  })
}

/** Returns the opened page with one of its student's offers. Throws `not_found`. */
async function openOffer(request: PageRequest, service: Service): Promise<Opened> {
  const { tenant, page } = request.linked ?? {}
  const { offer: offer_id } = request.params
  if (!tenant || !page || !isUuid(offer_id)) throw notFound()
  const { student_id } = page
  const offer = await findOfferTo(service.db, tenant.id, { offer_id, student_id })
  if (!offer) throw notFound()
  return { page, now: service.now(), ...openedOffer(request, service, { tenant, offer }) }
}

/** Accepts the offer. If it is gone or already the student's, the page shows that by itself. */
async function accept({ db }: Service, { actor, offer }: Opened): Promise<FormRefusal | undefined> {
  try {
    await acceptOffer(db, actor, offer)
  } catch (error) {
    const code = error instanceof Problem ? error.code : undefined
    const hint = code && HINTS[code]
    if (hint) return { status: 409, hint }
    if (code !== 'offer_gone') throw error
  }
  return undefined
}
