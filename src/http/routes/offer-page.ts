import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptOffer, readOfferFor, studentActor } from '../../booking/offers/accept-offer.ts'
import { lessonTypeNames } from '../../booking/packs/packs.ts'
import type { Actor } from '../../contract/actor.ts'
import { isUuid } from '../../contract/formats.ts'
import { notFound, Problem } from '../../contract/problem.ts'
import type { ProblemCode } from '../../contract/problem-messages.ts'
import type { Tenant } from '../../contract/tenant.ts'
import { type FoundOffer, findOfferTo } from '../../db/offers/offers-of-student.ts'
import { localNow } from '../../domain/time-zone.ts'
import { type OfferState, offerPage } from '../pages/offer-html.ts'
import { serviceUrl } from '../requests/public-url.ts'
import { isVerified, neededVerification, type OpenedPage } from '../requests/student-verification.ts'
import type { App, Service } from '../service.ts'
import { acceptForms, FORM_ROUTE, type FormRefusal, press, seeOther } from './student-forms.ts'
import { languageForRequest, sendHtmlPage } from './student-page.ts'

type PageRequest = FastifyRequest<{ Params: { readonly token: string; readonly offer?: string } }>

type OpenedOffer = {
  readonly tenant: Tenant
  readonly offer: FoundOffer
  readonly actor: Actor
  /** The student's page if the offer was opened there, where accepting it may require a verification. */
  readonly own: OpenedPage | undefined
}

/** The refusals for problems with the offer, or with the student alone, which leave the offer open. */
const REFUSALS: Readonly<Partial<Record<ProblemCode, FormRefusal>>> = {
  offer_gone: { status: 409 },
  student_busy: { status: 409, hint: { kind: 'busy' } },
  too_many_appointments: { status: 409, hint: { kind: 'many' } },
}

const LINKS = { '/s/:token/offers/:offer': 'page', '/o/:token': 'offer' } as const

/** Routes of the page on which a student accepts an offer, opened by its own link or below the student's page. Undocumented. */
export async function offerPageRoutes(app: App, service: Service): Promise<void> {
  acceptForms(app, service)
  const send = async (
    request: PageRequest,
    reply: FastifyReply,
    opened: OpenedOffer,
    refused: Partial<FormRefusal> = {},
  ): Promise<FastifyReply> => {
    const language = languageForRequest(request)
    const { tenant, own } = opened
    const needsStep = own && !isVerified(request, service, own)
    const step = needsStep ? (refused.step ?? { kind: await neededVerification(service, own) }) : undefined
    const offer = await offerStateOf(service, opened, language)
    const address = own && `${serviceUrl(app, service)}/s/${request.params.token}`
    return sendHtmlPage(reply, offerPage({ offer, step, hint: refused.hint }, { tenant, language, address }))
  }
  for (const [path, link] of Object.entries(LINKS)) {
    const options = { ...FORM_ROUTE, config: { ...FORM_ROUTE.config, link } }
    app.get(path, options, async (request: PageRequest, reply) =>
      send(request, reply, await openOffer(request, service)),
    )
    app.post(path, options, async (request: PageRequest, reply) => {
      const opened = await openOffer(request, service)
      const { own } = opened
      const act = () => accept(service, opened)
      // The link of an offer is the credential, so a form of another site can do no more than anyone with the link.
      const refused = own
        ? await press(request, reply, { service, opened: own, acts: { accept: act } })
        : await act()
      if (!refused) return seeOther(request, reply)
      return send(request, reply.code(refused.status), opened, refused)
    })
  }
  app.get('/o/*', FORM_ROUTE, async () => undefined)
}

/** Returns the opened offer: the one of the link, or one to the student of the page. Throws `not_found`. */
async function openOffer(request: PageRequest, service: Service): Promise<OpenedOffer> {
  const { tenant, page, offer: linked } = request.linked ?? {}
  const { offer: offer_id = '' } = request.params
  if (!tenant) throw notFound()
  const now = service.now()
  const own = page && { tenant, page, now }
  const offer =
    page && isUuid(offer_id)
      ? await findOfferTo(service.db, tenant.id, { offer_id, student_id: page.student_id })
      : linked
  if (!offer) throw notFound()
  return { tenant, offer, own, actor: studentActor(offer, { tenant, now, set_id: request.id }) }
}

/** Returns the state of an offer, with the lesson in a language. Throws `offer_gone`. */
async function offerStateOf(
  { db }: Service,
  { tenant, offer, actor }: OpenedOffer,
  language: string,
): Promise<OfferState> {
  const { state, lesson, expires_at, code } = await readOfferFor(db, actor, offer)
  if (state === 'gone') return { kind: 'gone' }
  const lesson_type = lessonTypeNames(tenant.country, language).get(code) ?? lesson.lesson_type
  const named = { ...lesson, lesson_type }
  if (state === 'booked') return { kind: 'booked', lesson: named }
  return { kind: 'open', lesson: named, until: localNow(new Date(expires_at), tenant.timezone) }
}

async function accept({ db }: Service, { actor, offer }: OpenedOffer): Promise<FormRefusal | undefined> {
  try {
    await acceptOffer(db, actor, offer)
  } catch (error) {
    const refusal = error instanceof Problem ? REFUSALS[error.code] : undefined
    if (refusal) return refusal
    throw error
  }
  return undefined
}
