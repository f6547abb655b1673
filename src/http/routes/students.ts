import { Type } from 'typebox'
import { ownOf, seenStudentsOf } from '../../auth/permissions.ts'
import { examRulesOf } from '../../booking/packs/packs.ts'
import { topicsIn } from '../../booking/school/school-topics.ts'
import { changeStudent, enrolStudent } from '../../booking/students/change-student.ts'
import { deleteStudent } from '../../booking/students/delete-student.ts'
import { mergeStudents } from '../../booking/students/merge-students.ts'
import { restoreStudent } from '../../booking/students/restore-student.ts'
import { listWithPapers } from '../../booking/trainings/ticks.ts'
import { ref } from '../../contract/fields.ts'
import { Problem } from '../../contract/problem.ts'
import { ProgressSchema } from '../../contract/progress.ts'
import {
  ListedStudentSchema,
  NewStudentSchema,
  newStudentFaultsFor,
  type RestorationProgress,
  StudentChangeSchema,
  type StudentMerge,
  StudentMergeSchema,
  StudentRestorationLineSchema,
  StudentRestorationSchema,
  StudentSchema,
} from '../../contract/student.ts'
import type { Tenant } from '../../contract/tenant.ts'
import type { JsonList } from '../../db/json-list.ts'
import type { Database } from '../../db/schema/tables.ts'
import {
  listStudentsWithMissingTopics,
  listStudentsWithProgress,
  listStudentsWithReadiness,
  requireProgress,
} from '../../db/students/progress.ts'
import { listRestrictedStudents } from '../../db/students/restrictions.ts'
import { listDeletedStudents } from '../../db/students/student-sets.ts'
import {
  findStudent,
  listStudents,
  listStudentsWithEnrolments,
  type StudentFilter,
} from '../../db/students/students.ts'
import { localToday } from '../../domain/time-zone.ts'
import { operation } from '../operation.ts'
import { idempotencyKey, makeOnce, sendIdempotentResult, sendMade } from '../requests/idempotency.ts'
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
const Restricted = Type.Optional(
  Type.Enum(['true', 'false'], {
    'x-published': { type: 'boolean', default: false },
    description:
      'Whether to list the students of whom only the training record is left instead, with `restriction`. 403 for all but owners.',
  }),
)
const State = Type.Optional(
  Type.Enum(['current', 'former', 'all'], {
    'x-published': { type: 'string', default: 'all' },
    description:
      'Whether to list only current students, or only former ones (`archived_at` is set); by default all.',
  }),
)
const ADDITIONS = ['progress', 'readiness', 'enrolments', 'ticks'] as const
type Addition = (typeof ADDITIONS)[number]

/** Returns the lists of some of the additions, in any order. */
function ordersOf(additions: readonly Addition[]): readonly string[] {
  return additions.flatMap((first) => [
    first,
    ...ordersOf(additions.filter((one) => one !== first)).map((rest) => `${first},${rest}`),
  ])
}

const withMore = Type.Enum([...ordersOf(ADDITIONS), 'topics'], {
  description:
    '`topics` adds the topics of theory that each student lacks, `progress` the sums of the requirements, `readiness` whether the student may take the practical test, `enrolments` the open ones, `ticks` what is missing of the papers and tests of the current one. Separate the last four by commas.',
})
const params = pathId('student')

type Listing = {
  readonly db: Database
  readonly tenant: Tenant
  readonly seen: ReturnType<typeof seenStudentsOf> & Pick<StudentFilter, 'isCurrent'>
  readonly now: Date
}

function stateOf(state = 'all'): Pick<StudentFilter, 'isCurrent'> {
  return state === 'all' ? {} : { isCurrent: state === 'current' }
}

/** Returns the list of students with the additions that a request names. */
async function studentsWith(more: string | undefined, { db, tenant, seen, now }: Listing): Promise<JsonList> {
  if (more === 'topics')
    return listStudentsWithMissingTopics(db, tenant, { ...seen, topics: await topicsIn(db, tenant) })
  const wanted = new Set(more?.split(','))
  const filter = { ...seen, ...(wanted.has('enrolments') && { withEnrolments: true as const }) }
  const withProgress = wanted.has('progress')
  const withTicks = wanted.has('ticks')
  const today = localToday(now, tenant.timezone)
  if (wanted.has('readiness')) {
    const rules = { ...examRulesOf(tenant.country), today }
    const list = listStudentsWithReadiness(db, tenant, { ...filter, withProgress }, rules)
    return listWithPapers(list, { db, tenant, today, withTicks })
  }
  const list = listPlainly(tenant, { db, filter, withProgress })
  return withTicks ? listWithPapers(list, { db, tenant, today, withTicks }) : list
}

type Unread = { readonly db: Database; readonly filter: StudentFilter; readonly withProgress: boolean }

function listPlainly(tenant: Tenant, { db, filter, withProgress }: Unread): JsonList {
  if (withProgress) return listStudentsWithProgress(db, tenant, filter)
  const { withEnrolments, ...seen } = filter
  return withEnrolments
    ? listStudentsWithEnrolments(db, tenant.id, filter)
    : listStudents(db, tenant.id, seen)
}

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
      ...lists(
        ListedStudentSchema,
        { with: Type.Optional(withMore), deleted: Deleted, restricted: Restricted, state: State },
        403,
      ),
    }),
    async (request, reply) => {
      const { tenant } = request.actor
      const seen = { ...seenStudentsOf(request.actor), ...stateOf(request.query.state) }
      if (request.query.restricted === 'true') {
        if (request.actor.role !== 'owner') throw new Problem('forbidden')
        return sendList(request, reply, listRestrictedStudents(db, tenant.id))
      }
      if (request.query.deleted === 'true') {
        if (ownOf(request.actor).own !== undefined) throw new Problem('forbidden')
        return sendList(request, reply, listDeletedStudents(db, tenant.id))
      }
      return sendList(
        request,
        reply,
        await studentsWith(request.query.with, { db, tenant, seen, now: request.actor.now }),
      )
    },
  )

  app.post(
    '/students',
    operation('students', {
      permission: 'plan',
      faultsFor: newStudentFaultsFor,
      operationId: 'enrolStudent',
      summary: 'Enrol a student',
      description:
        'Only the names are required. 404 if the template or the preferred instructor does not exist in this school, 409 `template_not_valid` if the template is not valid today.',
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
      ...changes(StudentChangeSchema, StudentSchema, 404, 409),
    }),
    async (request, reply) =>
      sendVersioned(reply, await changeStudent(db, request.actor, request.params.id, intentOf(request))),
  )

  app.post(
    '/students/:id/merge',
    operation('students', {
      permission: 'plan',
      operationId: 'mergeStudents',
      summary: 'Make two students one who were entered twice',
      description:
        "Lessons, enrolments, credits, ticks, wishes, answers, offers and messages of the other student move to this one, and the other is deleted, as one set that an undo takes back. Of two open enrolments of one class the other's ends as `changed`, and its lessons and credits move. 409 `student_busy` if lessons overlap, `student_signed` if the other student has signatures; with itself 400.",
      returns: 'The student.',
      params,
      sends: ['ETag'],
      headers: idempotencyKey,
      body: ref(StudentMergeSchema),
      response: responses({ 200: ref(StudentSchema) }, 401, 403, 404, 409, 422, ...BODY),
    }),
    async (request, reply) => {
      const { actor, params } = request
      const result = await makeOnce(service, request, (key) =>
        mergeStudents(db, actor, params.id, request.body as StudentMerge, key),
      )
      return sendIdempotentResult(reply, { ...result, value: sendVersioned(reply, result.value) })
    },
  )

  app.delete(
    '/students/:id',
    operation('students', {
      permission: 'plan',
      operationId: 'deleteStudent',
      summary: 'Hide a student and cancel the planned lessons that start later than now',
      description:
        'All other lessons stay as evidence of working time. Nothing is erased: `POST /students/{id}/restore` brings the student back, but not the link to the page.',
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
      const { actor, params, slicer } = request
      const restore = (report?: ReportProgress<RestorationProgress>) =>
        restoreStudent(db, actor, params.id, { slicer, report })
      if (wantsLines(request)) return sendInLines(request, reply, restore)
      const restoration = await restore()
      sendVersioned(reply, restoration.student)
      return restoration
    },
  )
}
