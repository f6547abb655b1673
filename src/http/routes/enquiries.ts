import { Type } from 'typebox'
import {
  closeEnquiry,
  enquiriesWithSame,
  enrolEnquiry,
  listEnquiriesWithSame,
} from '../../booking/students/enquiries.ts'
import { EnquirySchema } from '../../contract/enquiry.ts'
import { described, ref } from '../../contract/fields.ts'
import { StudentSchema } from '../../contract/student.ts'
import { operation } from '../operation.ts'
import { idempotencyKey, makeOnce, sendIdempotentResult } from '../requests/idempotency.ts'
import { pathId } from '../requests/path-id.ts'
import { sendVersioned } from '../responses/entity-tag.ts'
import { sendList } from '../responses/list-reply.ts'
import { BODY, responses } from '../responses/responses.ts'
import { lists } from '../route-schemas.ts'
import { API_PREFIX, type App, type Service } from '../service.ts'

const params = pathId('enquiry')
const { state } = EnquirySchema.properties

export function enquiryRoutes(app: App, service: Service): void {
  const { db } = service

  app.get(
    '/enquiries',
    operation('enquiries', {
      permission: 'plan',
      operationId: 'listEnquiries',
      summary: 'List the enquiries, newest first',
      description:
        'Use it to answer people who have sent the form `/e/{slug}` of the school. An enquiry is deleted after 90 days without an answer, or 90 days after it was enrolled or closed.',
      returns: 'The enquiries, or a page of them.',
      ...lists(
        EnquirySchema,
        { state: Type.Optional(described(state, 'Only enquiries in this state.')) },
        403,
      ),
    }),
    async (request, reply) => {
      const { actor, query, slicer } = request
      const filter = { ...(query.state && { state: query.state }), slicer }
      return sendList(request, reply, listEnquiriesWithSame(db, actor, filter))
    },
  )

  app.post(
    '/enquiries/:id/enrol',
    operation('enquiries', {
      permission: 'plan',
      operationId: 'enrolEnquiry',
      summary: 'Make a student of an enquiry',
      description:
        'The student has the name, the ways to answer, the language and the message as notes; the class, if a template of it is valid today; and the wished times as a wish. Undoing the set deletes the student and reopens the enquiry. 409 `already_decided` if it has been enrolled or closed.',
      returns: 'The student.',
      params,
      headers: idempotencyKey,
      sends: ['Location', 'ETag'],
      response: responses({ 201: ref(StudentSchema) }, 401, 403, 404, 409, 422, ...BODY),
    }),
    async (request, reply) => {
      const { actor, params } = request
      const result = await makeOnce(service, request, (key) => enrolEnquiry(db, actor, params.id, key))
      reply.code(201).header('location', `${API_PREFIX}/students/${result.value.id}`)
      return sendIdempotentResult(reply, { ...result, value: sendVersioned(reply, result.value) })
    },
  )

  app.post(
    '/enquiries/:id/close',
    operation('enquiries', {
      permission: 'plan',
      operationId: 'closeEnquiry',
      summary: 'Close an enquiry that needs no further answer',
      description:
        'Closing it again changes nothing. Undoing the set reopens it. 409 `already_decided` if it has been enrolled.',
      returns: 'The closed enquiry.',
      params,
      response: responses({ 200: ref(EnquirySchema) }, 401, 403, 404, 409, ...BODY),
    }),
    async ({ actor, params, slicer }) => {
      const closed = await closeEnquiry(db, actor, params.id)
      const [enquiry] = await enquiriesWithSame(db, actor.tenant, [closed], slicer)
      return enquiry
    },
  )
}
