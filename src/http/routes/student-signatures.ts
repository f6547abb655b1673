import type { FastifyReply, FastifyRequest } from 'fastify'
import { studentActor } from '../../booking/offers/accept-offer.ts'
import { typeNamer } from '../../booking/packs/type-names.ts'
import {
  type DueItem,
  isRecordChanged,
  listDueSignatures,
  signAllDue,
} from '../../booking/records/due-signatures.ts'
import type { Actor } from '../../contract/actor.ts'
import { cleanText } from '../../contract/clean-text.ts'
import { notFound } from '../../contract/problem.ts'
import type { Tenant } from '../../contract/tenant.ts'
import { readLessonTypeNames } from '../../db/school/lesson-types.ts'
import { SIGNED_NAME_LENGTH } from '../../domain/ranges.ts'
import { maySign } from '../../domain/student-actions.ts'
import { type SigningStep, type SigningView, signingPage } from '../pages/signing-html.ts'
import { serviceUrl } from '../requests/public-url.ts'
import { isVerified, neededVerification, type OpenedPage } from '../requests/student-verification.ts'
import type { App, Service } from '../service.ts'
import { acceptForms, FORM_ROUTE, type FormRefusal, press, seeOther } from './student-forms.ts'
import { languageForRequest, sendHtmlPage } from './student-page.ts'

type PageRequest = FastifyRequest<{ Params: { readonly token: string } }>
type OpenedSigning = OpenedPage & { readonly actor: Actor }

/** Routes for the signatures on a student's page: one form signs everything that is due. Without a script, undocumented. */
export async function studentSignatureRoutes(app: App, service: Service): Promise<void> {
  acceptForms(app, service)
  const send = (
    request: PageRequest,
    reply: FastifyReply,
    view: SigningView,
    tenant: Tenant,
  ): FastifyReply => {
    const address = `${serviceUrl(app, service)}/s/${request.params.token}`
    return sendHtmlPage(reply, signingPage(view, { tenant, address, language: languageForRequest(request) }))
  }
  app.get('/s/:token/signatures', FORM_ROUTE, async (request: PageRequest, reply) => {
    const opened = openSigning(request, service)
    return send(request, reply, { step: await stepOf(request, service, opened) }, opened.tenant)
  })
  app.post('/s/:token/signatures', FORM_ROUTE, async (request: PageRequest, reply) => {
    const opened = openSigning(request, service)
    const refused = await press(request, reply, { service, opened, acts: actsOf(service, opened) })
    if (!refused) return seeOther(request, reply)
    const { hint, status, step = await stepOf(request, service, opened) } = refused
    return send(request, reply.code(status), { step, hint }, opened.tenant)
  })
}

/** Returns the opened page. Throws `not_found`, also if students may not sign, or only by their link. */
function openSigning(request: FastifyRequest, { now: clock }: Service): OpenedSigning {
  const { tenant, page } = request.linked ?? {}
  if (!tenant || !page || !maySign(tenant.student_actions)) throw notFound()
  const now = clock()
  return { tenant, page, now, actor: studentActor(page, { tenant, now, set_id: request.id }) }
}

async function stepOf(
  request: FastifyRequest,
  service: Service,
  opened: OpenedSigning,
): Promise<SigningStep> {
  if (!isVerified(request, service, opened)) return { kind: await neededVerification(service, opened) }
  const { tenant, page, actor } = opened
  const types = await readLessonTypeNames(service.db, tenant.id)
  const [due] = await listDueSignatures(service.db, actor, [page.student_id], (part) => part())
  const nameOf = typeNamer({ tenant, types }, languageForRequest(request))
  return { kind: 'act', due, name: actor.name, nameOf }
}

function actsOf({ db }: Service, { actor, page: { student_id } }: OpenedSigning) {
  return {
    sign: async (form: URLSearchParams): Promise<FormRefusal | undefined> => {
      const name = cleanText(form.get('name') ?? '', true)
      if (name.length < SIGNED_NAME_LENGTH.min || name.length > SIGNED_NAME_LENGTH.max) return { status: 400 }
      try {
        await signAllDue(db, actor, { student_id, name, items: form.getAll('item').map(itemIn) })
      } catch (error) {
        if (!isRecordChanged(error)) throw error
        return { status: 409, hint: { kind: 'changed' } }
      }
      return undefined
    },
  }
}

function itemIn(text: string): DueItem {
  const [id = '', digest = ''] = text.split(' ')
  return { id, digest }
}
