import { Type } from 'typebox'
import { listDueSignatures } from '../../booking/records/due-signatures.ts'
import { listSignaturesOfLesson, signLesson } from '../../booking/records/sign-lesson.ts'
import { listSignaturesOfRecord, signedRecord, signRecord } from '../../booking/records/sign-record.ts'
import { DueSignaturesSchema } from '../../contract/due-signatures.ts'
import { closed, Id, ref } from '../../contract/fields.ts'
import {
  NewLessonSignatureSchema,
  NewRecordSignatureSchema,
  SignatureSchema,
} from '../../contract/signature.ts'
import { TrainingRecordSchema } from '../../contract/training-record.ts'
import { MAX_SIGNING_STUDENTS } from '../../domain/ranges.ts'
import { operation } from '../operation.ts'
import { idempotencyKey, makeOnce, sendIdempotentResult } from '../requests/idempotency.ts'
import { pathId } from '../requests/path-id.ts'
import { sendWhole } from '../responses/list-reply.ts'
import { BODY, readable, responses } from '../responses/responses.ts'
import type { App, Service } from '../service.ts'

const ofLesson = pathId('appointment')
const ofEnrolment = pathId('enrolment')
const signed = Type.Object({
  ...ofEnrolment.properties,
  digest: Type.String({ maxLength: 100, description: 'The digest that was signed. Any other is 404.' }),
})

const due = closed({
  student_id: Type.Array(Id, {
    minItems: 1,
    maxItems: MAX_SIGNING_STUDENTS,
    description: `The students; may be repeated, at most ${MAX_SIGNING_STUDENTS} times.`,
  }),
})

/** Routes for the signatures of lessons and training records. */
export function signatureRoutes(app: App, service: Service): void {
  const { db } = service

  app.get(
    '/signatures/due',
    operation('signatures', {
      permission: 'look',
      operationId: 'listDueSignatures',
      summary: 'List everything that students have to sign',
      description:
        'Use it to have a student sign everything at once: send each digest to the signatures of its lesson or record. Students who have nothing to sign, and those whom the user does not see, are left out.',
      returns: 'The lessons and records that each student has to sign, in the order asked for.',
      querystring: due,
      response: readable(Type.Array(ref(DueSignaturesSchema)), 401),
    }),
    async (request, reply) => {
      const { actor, query, turn } = request
      const list = await listDueSignatures(db, actor, query.student_id, (part) => turn.read(part))
      return sendWhole(request, reply, JSON.stringify(list))
    },
  )

  app.get(
    '/appointments/:id/signatures',
    operation('signatures', {
      permission: 'look',
      operationId: 'listLessonSignatures',
      summary: 'List the signatures of a lesson, the oldest first',
      description:
        'Each has its state: `outdated` if something that was signed has changed since, and `changed` names it. Instructors read those of their own lessons.',
      returns: 'The signatures.',
      params: ofLesson,
      response: readable(Type.Array(ref(SignatureSchema)), 401, 404),
    }),
    async (request, reply) => {
      const { actor, params } = request
      return sendWhole(request, reply, JSON.stringify(await listSignaturesOfLesson(db, actor, params.id)))
    },
  )

  app.post(
    '/appointments/:id/signatures',
    operation('signatures', {
      permission: 'note_outcomes',
      operationId: 'signLesson',
      summary: 'Sign a completed lesson',
      description:
        'Send the `digest` of the text that the person has seen: `sha256:` and the hash of the RFC 8785 JSON of `{ appointment_id, student_id, enrolment_id, date, start_time, minutes, lesson_type_id, topic, instructor_id }`, with the actual times if they are known. 409 `record_changed` if the lesson is another by now, `not_completed` if it is not completed for the student. Only the instructor of the lesson signs as `instructor` (403); instructors take the signatures of the students whom they see, also for lessons of others.',
      returns: 'The signature.',
      params: ofLesson,
      headers: idempotencyKey,
      body: ref(NewLessonSignatureSchema),
      response: responses({ 201: ref(SignatureSchema) }, 401, 403, 404, 409, 422, ...BODY),
    }),
    async (request, reply) => {
      const { actor, params, body } = request
      const result = await makeOnce(service, request, (key) =>
        signLesson(db, actor, params.id, { signature: body, key }),
      )
      reply.code(201)
      return sendIdempotentResult(reply, result)
    },
  )

  app.get(
    '/enrolments/:id/signatures',
    operation('signatures', {
      permission: 'look',
      operationId: 'listRecordSignatures',
      summary: 'List the signatures of a training record, the oldest first',
      description: 'Instructors read those of the students whom they see.',
      returns: 'The signatures, with what has changed since.',
      params: ofEnrolment,
      response: readable(Type.Array(ref(SignatureSchema)), 401, 404),
    }),
    async (request, reply) => {
      const { actor, params, turn } = request
      const list = await listSignaturesOfRecord(db, actor, params.id, (part) => turn.read(part))
      return sendWhole(request, reply, JSON.stringify(list))
    },
  )

  app.post(
    '/enrolments/:id/signatures',
    operation('signatures', {
      permission: 'look',
      operationId: 'signRecord',
      summary: 'Sign the training record of an enrolment',
      description:
        'Send the `digest` of the record that the person has seen. 409 `record_changed` if it is another by now, `not_ended` before `practice_ended_on` or `ends_on`; gaps do not matter. As `school` signs an owner, or a user with `may_sign` (else 403); as `student` the student on a device of the school, whose user stands in `by`.',
      returns: 'The signature.',
      params: ofEnrolment,
      headers: idempotencyKey,
      body: ref(NewRecordSignatureSchema),
      response: responses({ 201: ref(SignatureSchema) }, 401, 403, 404, 409, 422, ...BODY),
    }),
    async (request, reply) => {
      const { actor, params, body } = request
      const result = await makeOnce(service, request, (key) =>
        signRecord(db, actor, params.id, { signature: body, key }),
      )
      reply.code(201)
      return sendIdempotentResult(reply, result)
    },
  )

  app.get(
    '/enrolments/:id/records/:digest',
    operation('signatures', {
      permission: 'look',
      operationId: 'getSignedRecord',
      summary: 'Read a training record as it was signed',
      description: 'It stays as it was, whatever changes later. 404 if no record with the digest was signed.',
      returns: 'The record with the signatures that it had before.',
      params: signed,
      response: readable(ref(TrainingRecordSchema), 401, 404),
    }),
    async (request, reply) => {
      const { actor, params } = request
      return sendWhole(request, reply, JSON.stringify(await signedRecord(db, actor, params)))
    },
  )
}
