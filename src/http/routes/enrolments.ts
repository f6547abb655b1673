import { seenStudentsOf } from '../../auth/permissions.ts'
import { addEnrolment, changeEnrolment, deleteEnrolment } from '../../booking/trainings/enrolments.ts'
import {
  EnrolmentChangeSchema,
  EnrolmentSchema,
  enrolmentFaultsFor,
  NewEnrolmentSchema,
} from '../../contract/enrolment.ts'
import { ref } from '../../contract/fields.ts'
import { notFound } from '../../contract/problem.ts'
import { ProgressSchema } from '../../contract/progress.ts'
import { findEnrolment, listEnrolments } from '../../db/students/enrolments.ts'
import { readEnrolmentProgress } from '../../db/students/progress.ts'
import { findStudent } from '../../db/students/students.ts'
import { operation } from '../operation.ts'
import { makeOnce, sendIdempotentResult } from '../requests/idempotency.ts'
import { pathId } from '../requests/path-id.ts'
import { expectedVersion, intentOf, sendFound, sendVersioned } from '../responses/entity-tag.ts'
import { sendList, sendWhole } from '../responses/list-reply.ts'
import { readable, sendNoContent } from '../responses/responses.ts'
import { changes, creates, deletes, lists } from '../route-schemas.ts'
import { API_PREFIX, type App, type Service } from '../service.ts'

const ofStudent = pathId('student')
const params = pathId('enrolment')

export function enrolmentRoutes(app: App, service: Service): void {
  const { db } = service

  app.get(
    '/students/:id/enrolments',
    operation('enrolments', {
      permission: 'look',
      operationId: 'listEnrolments',
      summary: 'List the enrolments of a student, the one that began last first',
      description:
        'Instructors can read it for the students whom they see. Those that have ended are listed, too.',
      returns: 'The enrolments, or a page of them.',
      params: ofStudent,
      ...lists(EnrolmentSchema, {}, 404),
    }),
    async (request, reply) => {
      const { actor, params } = request
      if (!(await findStudent(db, actor.tenant.id, params.id, seenStudentsOf(actor)))) throw notFound()
      return sendList(request, reply, listEnrolments(db, actor.tenant.id, params.id))
    },
  )

  app.post(
    '/students/:id/enrolments',
    operation('enrolments', {
      permission: 'plan',
      faultsFor: enrolmentFaultsFor,
      operationId: 'addEnrolment',
      summary: 'Enrol a student for a class, beside others if there are any',
      description:
        'It begins today unless `begins_on` says otherwise, at most 12 months ahead. It becomes the current one; with `is_current: false` only if no other is open. 409 `already_enrolled` while another enrolment for the class is open.',
      returns: 'The enrolment as stored.',
      params: ofStudent,
      ...creates(NewEnrolmentSchema, EnrolmentSchema, 403, 404),
    }),
    async (request, reply) => {
      const { actor, params, body } = request
      const result = await makeOnce(service, request, (key) =>
        addEnrolment(db, actor, params.id, { enrolment: body, key }),
      )
      reply.code(201).header('location', `${API_PREFIX}/enrolments/${result.value.id}`)
      return sendIdempotentResult(reply, { ...result, value: sendVersioned(reply, result.value) })
    },
  )

  app.get(
    '/enrolments/:id',
    operation('enrolments', {
      permission: 'look',
      operationId: 'getEnrolment',
      summary: 'Read an enrolment',
      description: 'Instructors can read those of the students whom they see. A deleted one is 404.',
      returns: 'The enrolment.',
      params,
      response: readable(ref(EnrolmentSchema), 401, 404),
    }),
    async ({ actor, params }, reply) =>
      sendFound(reply, findEnrolment(db, actor.tenant.id, params.id, seenStudentsOf(actor))),
  )

  app.get(
    '/enrolments/:id/progress',
    operation('enrolments', {
      permission: 'look',
      operationId: 'enrolmentProgress',
      summary: 'Read the progress of an enrolment toward its class',
      description:
        'Like `GET /students/{id}/progress`, which is that of the current one. Lessons count for the enrolment that they were for, the opening balance for the current one. Basic theory also counts for others that were open on its day, and for those that began later within the years of the law, unless the training that it was for was passed.',
      returns: 'The progress toward each requirement, with the units that the prior classes leave.',
      params,
      response: readable(ref(ProgressSchema), 401, 404),
    }),
    async (request, reply) => {
      const { actor, params } = request
      const enrolment = await findEnrolment(db, actor.tenant.id, params.id, seenStudentsOf(actor))
      if (!enrolment) throw notFound()
      const progress = await readEnrolmentProgress(db, actor.tenant, enrolment)
      return sendWhole(request, reply, JSON.stringify(progress))
    },
  )

  app.patch(
    '/enrolments/:id',
    operation('enrolments', {
      permission: 'plan',
      faultsFor: enrolmentFaultsFor,
      operationId: 'changeEnrolment',
      summary: 'Change, end or reopen an enrolment, or make it the current one',
      description:
        '`outcome` and `ends_on` go together; an outcome alone ends it today, and `outcome: null` opens it again. After `stopped` and `changed` it is no longer the current one. 409 `already_enrolled` if another enrolment for the class is open, `enrolment_ended` if one that has ended should become the current one.',
      returns: 'The enrolment as changed.',
      params,
      ...changes(EnrolmentChangeSchema, EnrolmentSchema, 404, 409),
    }),
    async (request, reply) =>
      sendVersioned(reply, await changeEnrolment(db, request.actor, request.params.id, intentOf(request))),
  )

  app.delete(
    '/enrolments/:id',
    operation('enrolments', {
      permission: 'plan',
      operationId: 'deleteEnrolment',
      summary: 'Delete an enrolment that was entered by mistake',
      description: '409 `in_use` if a lesson, a tick, a credit or a signature belongs to it: end it instead.',
      params,
      ...deletes('The enrolment is deleted', 409),
    }),
    async (request, reply) =>
      sendNoContent(reply, deleteEnrolment(db, request.actor, request.params.id, expectedVersion(request))),
  )
}
