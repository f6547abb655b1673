import { Type } from 'typebox'
import { ownOf, seenStudentsOf } from '../../auth/permissions.ts'
import { changeStudent, enrolStudent } from '../../booking/change-student.ts'
import { deleteStudent } from '../../booking/delete-student.ts'
import { examRulesOf } from '../../booking/packs.ts'
import { restoreStudent } from '../../booking/restore-student.ts'
import { ref } from '../../contract/fields.ts'
import { Problem } from '../../contract/problem.ts'
import { ProgressSchema } from '../../contract/progress.ts'
import {
  ListedStudentSchema,
  NewStudentSchema,
  type RestorationProgress,
  StudentChangeSchema,
  StudentRestorationLineSchema,
  StudentRestorationSchema,
  StudentSchema,
} from '../../contract/student.ts'
import { listStudentsWithProgress, listStudentsWithReadiness, requireProgress } from '../../db/progress.ts'
import { listDeletedStudents } from '../../db/student-sets.ts'
import { findStudent, listStudents } from '../../db/students.ts'
import { operation } from '../operation.ts'
import { sendMade } from '../requests/idempotency.ts'
import { pathId } from '../requests/path-id.ts'
import { expectedVersion, intentOf, sendFound, sendVersioned } from '../responses/entity-tag.ts'
import { inLines, type ReportProgress, sendInLines, wantsLines } from '../responses/json-lines.ts'
import { sendList, sendWhole } from '../responses/list-reply.ts'
import { BODY, readable, responses, sendNoContent } from '../responses/responses.ts'
import { changes, creates, deletes, lists } from '../route-schemas.ts'
import type { App, Service } from '../service.ts'

const Deleted = Type.Optional(
  Type.Enum(['true', 'false'], {
    'x-published': { type: 'boolean', default: false },
    description:
      'Whether to list deleted students instead, with `deleted_at`; they can be restored. 403 for instructors.',
  }),
)
const withMore = Type.Enum(['progress', 'readiness', 'progress,readiness', 'readiness,progress'], {
  description:
    '`progress` adds the sums of the requirements to each student, `readiness` whether the student may take the practical exam. Separate both by a comma.',
})
const params = pathId('student')

export function studentRoutes(app: App, service: Service): void {
  const { db } = service

  app.get(
    '/students',
    operation('students', {
      permission: 'look',
      operationId: 'listStudents',
      summary: 'List the students, by last name, first name, id',
      description:
        'Use it for lists and for a search in the client. An instructor gets the students of their own lessons and those whom the school lets them book; deleted students are listed only with `deleted=true`.',
      returns: 'The students, or a page of them.',
      ...lists(ListedStudentSchema, { with: Type.Optional(withMore), deleted: Deleted }, 403),
    }),
    async (request, reply) => {
      const { tenant } = request.actor
      const seen = seenStudentsOf(request.actor)
      if (request.query.deleted === 'true') {
        if (ownOf(request.actor).own !== undefined) throw new Problem('forbidden')
        return sendList(request, reply, listDeletedStudents(db, tenant.id))
      }
      const { with: more } = request.query
      if (more === undefined) return sendList(request, reply, listStudents(db, tenant.id, seen))
      if (more === 'progress') return sendList(request, reply, listStudentsWithProgress(db, tenant, seen))
      const filter = { ...seen, withProgress: more !== 'readiness' }
      const rules = examRulesOf(tenant.country)
      return sendList(request, reply, listStudentsWithReadiness(db, tenant, filter, rules))
    },
  )

  app.post(
    '/students',
    operation('students', {
      permission: 'plan',
      operationId: 'enrolStudent',
      summary: 'Enrol a student',
      description:
        'Only the names are required. 404 if the template or the preferred instructor does not exist in this school.',
      returns: 'The student as stored.',
      ...creates(NewStudentSchema, StudentSchema, 403, 404),
    }),
    async (request, reply) =>
      sendMade(service, reply, (key) => enrolStudent(db, request.actor, request.body, key)),
  )

  app.get(
    '/students/:id',
    operation('students', {
      permission: 'look',
      operationId: 'getStudent',
      summary: 'Read a student',
      description:
        'An instructor sees only the students of their own lessons and those whom the school lets them book. A deleted student is 404; the history stays readable.',
      returns: 'The student.',
      params,
      response: readable(ref(StudentSchema), 401, 404),
    }),
    async ({ actor, params }, reply) =>
      sendFound(reply, findStudent(db, actor.tenant.id, params.id, seenStudentsOf(actor))),
  )

  app.get(
    '/students/:id/progress',
    operation('students', {
      permission: 'look',
      operationId: 'studentProgress',
      summary: 'Read the progress toward the class: required, done, planned and open units',
      description:
        "Use it to see the open requirements. Only completed lessons count as done; units have the school's length.",
      returns: 'The progress toward each requirement.',
      params,
      response: readable(ref(ProgressSchema), 401, 404),
    }),
    async (request, reply) => {
      const { actor, params } = request
      const progress = await requireProgress(db, actor.tenant, { id: params.id, ...seenStudentsOf(actor) })
      return sendWhole(request, reply, JSON.stringify(progress))
    },
  )

  app.patch(
    '/students/:id',
    operation('students', {
      permission: 'plan',
      operationId: 'changeStudent',
      summary: 'Change a student',
      description:
        'Send only the fields to change; `{}` changes nothing. A new template also applies to upcoming lessons.',
      returns: 'The student as changed.',
      params,
      ...changes(StudentChangeSchema, StudentSchema, 404),
    }),
    async (request, reply) =>
      sendVersioned(reply, await changeStudent(db, request.actor, request.params.id, intentOf(request))),
  )

  app.delete(
    '/students/:id',
    operation('students', {
      permission: 'plan',
      operationId: 'deleteStudent',
      summary: 'Hide a student and cancel the planned lessons that start later than now',
      description:
        'All other lessons stay as evidence of worked time. Nothing is erased: `POST /students/{id}/restore` brings the student back, but not the link to the page.',
      params,
      ...deletes('The student is deleted'),
    }),
    async (request, reply) =>
      sendNoContent(reply, deleteStudent(db, request.actor, request.params.id, expectedVersion(request))),
  )

  app.post(
    '/students/:id/restore',
    operation('students', {
      permission: 'plan',
      operationId: 'restoreStudent',
      summary:
        'Restore a deleted student and the lessons that the deletion cancelled, as far as the rules still allow them',
      description:
        'A lesson that would now break a rule stays cancelled. For a student who is not deleted nothing changes. With `Accept: application/x-ndjson` the response shows the progress among thousands of lessons: a line of JSON after each hundred, and the result, or the problem, as the last line. Everything is stored together before the last line; a request whose connection is lost before has stored nothing.',
      returns: 'The student, and the outcome for each lesson.',
      params,
      sends: ['ETag'],
      response: responses(
        { 200: inLines(StudentRestorationSchema, StudentRestorationLineSchema) },
        401,
        403,
        404,
        ...BODY,
      ),
    }),
    async (request, reply) => {
      const { actor, params, pieces } = request
      const restore = (report?: ReportProgress<RestorationProgress>) =>
        restoreStudent(db, actor, params.id, { pieces, report })
      if (wantsLines(request)) return sendInLines(request, reply, restore)
      const restoration = await restore()
      sendVersioned(reply, restoration.student)
      return restoration
    },
  )
}
