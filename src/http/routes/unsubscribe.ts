import type { FastifyReply, FastifyRequest } from 'fastify'
import { studentActor } from '../../booking/offers/accept-offer.ts'
import { changeStudent } from '../../booking/students/change-student.ts'
import { notFound } from '../../contract/problem.ts'
import { findTenant } from '../../db/school/tenants.ts'
import { findStudent } from '../../db/students/students.ts'
import { strangerFrom } from '../load/fair-queue.ts'
import { inQueueOf, queueRequests } from '../load/queue-requests.ts'
import { FORM_POLICY } from '../pages/page-html.ts'
import { unsubscribePage } from '../pages/unsubscribe-html.ts'
import { readerChecks } from '../requests/check-reader.ts'
import { clientNetwork } from '../requests/client-network.ts'
import type { App, Service } from '../service.ts'
import { languageForRequest, PAGE_HEADERS, sendHtmlPage, sendNotice } from './student-page.ts'

type UnsubscribeRequest = FastifyRequest<{ Params: { readonly token: string } }>

/** Routes by which a student, or their mail program (RFC 8058), ends messages: without login, proof and cookies, undocumented. */
export async function unsubscribeRoutes(app: App, service: Service): Promise<void> {
  const { db, unsubscribeTokens, now } = service
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ ...PAGE_HEADERS, 'content-security-policy': FORM_POLICY })
    const { token = '' } = request.params as { readonly token?: string }
    const asked = unsubscribeTokens.read(token)
    const stranger = strangerFrom(clientNetwork(request))
    const tenant = asked && (await inQueueOf(service, stranger, () => findTenant(db, asked.tenantId)))
    if (!tenant) throw notFound()
    request.linked = { tenant }
  })
  queueRequests(app, service, readerChecks(service))
  app.setErrorHandler(sendNotice)
  // The token is the credential; mail programs send either type.
  app.addContentTypeParser(
    ['application/x-www-form-urlencoded', 'multipart/form-data'],
    { parseAs: 'buffer', bodyLimit: 4096 },
    async () => undefined,
  )
  const studentOf = async (request: UnsubscribeRequest) => {
    const { tenantId = '', student_id = '' } = unsubscribeTokens.read(request.params.token) ?? {}
    const student = await findStudent(db, tenantId, student_id)
    if (!student || !request.linked) throw notFound()
    const { tenant } = request.linked
    request.linked = { tenant, student }
    return { student, tenant }
  }
  const send = async (request: UnsubscribeRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { student, tenant } = await studentOf(request)
    const context = { tenant, language: languageForRequest(request) }
    return sendHtmlPage(reply, unsubscribePage(!student.messages_consent, context))
  }
  const options = { config: { open: true }, schema: { hide: true } } as const
  app.get('/u/:token', options, send)
  app.get('/u/*', options, async () => undefined)
  app.post('/u/:token', options, async (request: UnsubscribeRequest, reply) => {
    const { student, tenant } = await studentOf(request)
    const actor = studentActor(
      { ...student, student_id: student.id },
      { tenant, now: now(), set_id: request.id },
    )
    const change = { messages_consent: false }
    if (student.messages_consent)
      await changeStudent(db, actor, student.id, { change, isExpected: () => true })
    return send(request, reply)
  })
}
