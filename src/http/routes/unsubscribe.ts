import type { FastifyReply, FastifyRequest } from 'fastify'
import { studentActor } from '../../booking/offers/accept-offer.ts'
import { changeStudent } from '../../booking/students/change-student.ts'
import { notFound, Problem } from '../../contract/problem.ts'
import type { Student } from '../../contract/student.ts'
import type { Tenant } from '../../contract/tenant.ts'
import { findTenant } from '../../db/school/tenants.ts'
import { findStudent } from '../../db/students/students.ts'
import type { StudentContact } from '../../domain/student-contacts.ts'
import { strangerFrom } from '../load/fair-queue.ts'
import { inQueueOf, queueRequests } from '../load/queue-requests.ts'
import { FORM_POLICY } from '../pages/page-html.ts'
import { unsubscribePage } from '../pages/unsubscribe-html.ts'
import { readerChecks } from '../requests/check-reader.ts'
import { clientNetwork } from '../requests/client-network.ts'
import type { App, Service } from '../service.ts'
import { languageForRequest, PAGE_HEADERS, sendHtmlPage, sendNotice } from './student-page.ts'

/** The attempts beside others' changes of the student: contacts are written as a whole. */
const ATTEMPTS = 20

type UnsubscribeRequest = FastifyRequest<{ Params: { readonly token: string } }>

/** Routes by which a student or a contact, or their mail program (RFC 8058), ends messages: without login, verification and cookies, undocumented. */
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
  const recipientOf = async (request: UnsubscribeRequest) => {
    const { tenantId = '', student_id = '', mark = '' } = unsubscribeTokens.read(request.params.token) ?? {}
    const student = await findStudent(db, tenantId, student_id)
    if (!student || !request.linked) throw notFound()
    const { tenant } = request.linked
    request.linked = { tenant, student }
    const isOfToken = (contact: StudentContact) => unsubscribeTokens.markOf(contact) === mark
    return mark === '' ? ownMessages(student, tenant) : messagesOfContact(student, tenant, isOfToken)
  }
  const send = async (request: UnsubscribeRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { isEnded, tenant } = await recipientOf(request)
    const context = { tenant, language: languageForRequest(request) }
    return sendHtmlPage(reply, unsubscribePage(isEnded, context))
  }
  const endMessages = async (request: UnsubscribeRequest, attempts = ATTEMPTS): Promise<void> => {
    const { isEnded, tenant, version, person, change } = await recipientOf(request)
    if (isEnded) return
    const actor = studentActor(person, { tenant, now: now(), set_id: request.id })
    const intent = { change, isExpected: (stored: number) => stored === version }
    await changeStudent(db, actor, person.student_id, intent).catch((error) => {
      if (attempts <= 1 || !(error instanceof Problem && error.code === 'stale')) throw error
      return endMessages(request, attempts - 1)
    })
  }
  const options = { config: { open: true }, schema: { hide: true } } as const
  app.get('/u/:token', options, send)
  app.get('/u/*', options, async () => undefined)
  app.post('/u/:token', options, async (request: UnsubscribeRequest, reply) => {
    await endMessages(request)
    return send(request, reply)
  })
}

function ownMessages(student: Student, tenant: Tenant) {
  const person = { ...student, student_id: student.id }
  const { version } = student
  return { tenant, version, person, isEnded: !student.messages_consent, change: { messages_consent: false } }
}

/** Returns the state of a contact's messages. The log has the contact's name, as a person of the student. */
function messagesOfContact(
  { id: student_id, version, contacts, messages_consent }: Student,
  tenant: Tenant,
  isOfToken: (contact: StudentContact) => boolean,
) {
  const found = contacts.find((one) => one.gets_messages && isOfToken(one))
  const person = { student_id, first_name: found?.name ?? '', last_name: '' }
  const changed = contacts.map((one) => (isOfToken(one) ? { ...one, gets_messages: false } : one))
  return { tenant, version, person, isEnded: !found || !messages_consent, change: { contacts: changed } }
}
