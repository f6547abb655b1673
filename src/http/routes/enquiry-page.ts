import type { FastifyReply, FastifyRequest } from 'fastify'
import { classesOfForm } from '../../booking/school/enquiry-form.ts'
import { sendEnquiry, visitorActor } from '../../booking/students/enquiries.ts'
import { isMailSetUp } from '../../config.ts'
import { enquiryFaultsFor, type NewEnquiry, NewEnquirySchema } from '../../contract/enquiry.ts'
import { isUuid } from '../../contract/formats.ts'
import { newId } from '../../contract/new-id.ts'
import { type Fault, invalidRequest, notFound, Problem } from '../../contract/problem.ts'
import { strictAjv } from '../../contract/strict-ajv.ts'
import type { Tenant } from '../../contract/tenant.ts'
import { findTenantBySlug } from '../../db/school/tenants.ts'
import { SLUG } from '../../domain/enquiries.ts'
import { languagesOf, pageLanguageOf } from '../../domain/page-languages.ts'
import { SLUG_LENGTH } from '../../domain/ranges.ts'
import { strangerFrom } from '../load/fair-queue.ts'
import { inQueueOf, queueRequests } from '../load/queue-requests.ts'
import { onFirstUse } from '../on-first-use.ts'
import { type EnquiryView, type EnteredEnquiry, enquiryPage, enquirySentPage } from '../pages/enquiry-html.ts'
import { embeddedFormPolicy } from '../pages/page-html.ts'
import { readerChecks } from '../requests/check-reader.ts'
import { clientNetwork } from '../requests/client-network.ts'
import { publicUrl } from '../requests/public-url.ts'
import { faultsOf } from '../requests/validation.ts'
import { sendProblem } from '../responses/problems.ts'
import type { App, Service } from '../service.ts'
import { languageForRequest, PAGE_HEADERS, sendHtmlPage, sendNotice } from './student-page.ts'

type PageRequest = FastifyRequest<{ Params: { readonly slug: string } }>

/** The longest body: a message of the greatest length, each letter of it encoded. */
const bodyLimit = 16 * 1024

const validator = onFirstUse(() => strictAjv().compile(NewEnquirySchema))

/** Routes of a school's form for enquiries: without login, script and cookies, undocumented. */
export async function enquiryPageRoutes(app: App, service: Service): Promise<void> {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(PAGE_HEADERS)
    const tenant = await openForm(request, service)
    const { origins } = tenant.enquiries
    reply.header('content-security-policy', embeddedFormPolicy(origins))
    // The older header knows no origins, and would forbid every frame.
    if (origins.length > 0) reply.removeHeader('x-frame-options')
    request.linked = { tenant }
  })
  queueRequests(app, service, readerChecks(service))
  app.setErrorHandler((error, request, reply) =>
    isForm(request) ? sendNotice(error, request, reply) : sendProblem(error as Error, request, reply),
  )
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit },
    async (_: unknown, body: string) => new URLSearchParams(body),
  )
  const options = { config: { open: true }, schema: { hide: true } } as const
  app.get('/e/:slug', options, async (request: PageRequest, reply) => {
    const tenant = linkedTenant(request)
    const classes = await classesOfForm(service.db, tenant, service.now())
    return sendForm(request, reply, { classes, form_id: newId(), entered: NOTHING })
  })
  app.post('/e/:slug', { ...options, bodyLimit }, async (request: PageRequest, reply) => {
    const { body } = request
    const url = isMailSetUp(service.config) ? `${publicUrl(app, service)}/enquiries` : undefined
    if (body instanceof URLSearchParams) return takeForm(request, reply, { service, url, form: body })
    await take(request, service, { given: body, form_id: newId(), url })
    return reply.code(202).send({})
  })
  // A mistyped address gets the same page as an unknown one.
  app.get('/e/*', options, async () => undefined)
}

/** Returns the school of an enabled form. Throws the same `not_found` for an unknown one, and `too_many_requests` after too many. */
async function openForm(request: FastifyRequest, service: Service): Promise<Tenant> {
  const { slug = '' } = request.params as { readonly slug?: string }
  const network = clientNetwork(request)
  const isPossible = slug.length <= SLUG_LENGTH.max && SLUG.test(slug)
  const find = () => findTenantBySlug(service.db, slug)
  const tenant = isPossible ? await inQueueOf(service, strangerFrom(network), find) : undefined
  if (tenant) return tenant
  service.unknownLinkCounter.requireBelowLimit(network)
  service.unknownLinkCounter.count(network)
  throw notFound()
}

function isForm({ headers }: FastifyRequest): boolean {
  return !headers['content-type']?.startsWith('application/json')
}

function linkedTenant({ linked }: FastifyRequest): Tenant {
  if (!linked) throw notFound()
  return linked.tenant
}

function sendForm(
  request: FastifyRequest,
  reply: FastifyReply,
  view: Omit<EnquiryView, 'languages'>,
): FastifyReply {
  const tenant = linkedTenant(request)
  const context = { tenant, language: languageForRequest(request) }
  return sendHtmlPage(reply, enquiryPage({ ...view, languages: languagesOf(tenant.country) }, context))
}

const NOTHING: EnteredEnquiry = { value: () => '', has: () => false }

type TakenForm = {
  readonly service: Service
  readonly url: string | undefined
  readonly form: URLSearchParams
}

async function takeForm(
  request: FastifyRequest,
  reply: FastifyReply,
  { service, url, form }: TakenForm,
): Promise<FastifyReply> {
  const given = form.get('form_id') ?? ''
  const form_id = isUuid(given) ? given.toLowerCase() : newId()
  try {
    await take(request, service, { given: enquiryIn(form), form_id, url, isTrapped: !!form.get('website') })
  } catch (error) {
    const hint = hintFor(error, reply)
    const entered = {
      value: (name: string) => form.get(name) ?? '',
      has: (name: string, value: string) => form.getAll(name).includes(value),
    }
    const classes = await classesOfForm(service.db, linkedTenant(request), service.now())
    return sendForm(request, reply, { classes, form_id, entered, hint })
  }
  const context = { tenant: linkedTenant(request), language: languageForRequest(request) }
  return sendHtmlPage(reply.code(202), enquirySentPage(context))
}

/** Returns the hint for an error that the form explains, and sets the status. Rethrows others. */
function hintFor(error: unknown, reply: FastifyReply): EnquiryView['hint'] {
  if (!(error instanceof Problem)) throw error
  const { code, retryAfterSeconds } = error
  if (code === 'invalid_request') {
    reply.code(400)
    return 'enquiry_wrong'
  }
  if (code !== 'too_many_requests') throw error
  reply.code(429)
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
  return 'enquiry_full'
}

type Taken = {
  readonly given: unknown
  readonly form_id: string
  readonly url: string | undefined
  readonly isTrapped?: boolean
}

/** Stores an enquiry within the limits of its network and school. One that a program has filled in is dropped in silence. */
async function take(
  request: FastifyRequest,
  service: Service,
  { given, form_id, url, isTrapped = false }: Taken,
): Promise<void> {
  const { ofNetwork, ofSchool } = service.enquiries
  const network = clientNetwork(request)
  ofNetwork.requireBelowLimit(network)
  ofNetwork.count(network)
  // The form may have been closed while the body was on its way.
  const tenant = await findTenantBySlug(service.db, linkedTenant(request).enquiries.slug ?? '')
  if (!tenant) throw notFound()
  const now = service.now()
  const enquiry = requireEnquiry(given, await classesOfForm(service.db, tenant, now))
  if (isTrapped) return
  ofSchool.requireBelowLimit(tenant.id)
  ofSchool.count(tenant.id)
  const language = pageLanguageOf(languageForRequest(request))
  const actor = visitorActor(tenant, { now, set_id: request.id })
  await sendEnquiry(service.db, actor, { enquiry, language, form_id, url })
}

/** Returns the fields of a form as those of a request. */
function enquiryIn(form: URLSearchParams): unknown {
  const days = form.getAll('weekday').map(Number)
  return {
    first_name: form.get('first_name') ?? '',
    last_name: form.get('last_name') ?? '',
    license_class: form.get('license_class') ?? '',
    phone: form.get('phone')?.trim() || null,
    email: form.get('email')?.trim() || null,
    weekdays: days.length > 0 && days.length < 7 ? days : null,
    time_from: form.get('time_from') || null,
    time_to: form.get('time_to') || null,
    message: form.get('message')?.trim() || null,
    consent: form.get('consent') === 'yes',
  }
}

/** Returns a valid enquiry. Throws `invalid_request`. */
function requireEnquiry(given: unknown, classes: readonly string[]): NewEnquiry {
  const validate = validator()
  if (!validate(given)) throw invalidRequest(faultsOf(validate))
  const enquiry = given as NewEnquiry
  const faults = [...enquiryFaultsFor(enquiry), ...classFaultsFor(enquiry, classes)]
  if (faults.length > 0) throw invalidRequest(faults)
  return enquiry
}

function classFaultsFor({ license_class }: NewEnquiry, classes: readonly string[]): readonly Fault[] {
  if (classes.includes(license_class)) return []
  const detail = `license_class must be one of ${classes.join(', ')}.`
  return [{ pointer: '/license_class', code: 'not_allowed', detail }]
}
