import { changeLessonType } from '../../booking/change-lesson-type.ts'
import { ref } from '../../contract/fields.ts'
import { LessonTypeChangeSchema, LessonTypeSchema } from '../../contract/lesson-type.ts'
import { findLessonType, listLessonTypes } from '../../db/lesson-types.ts'
import { operation } from '../operation.ts'
import { pathId } from '../requests/path-id.ts'
import { expectedVersion, ifMatch, sendFound, sendVersioned } from '../responses/entity-tag.ts'
import { sendList } from '../responses/list-reply.ts'
import { BODY, readable, responses } from '../responses/responses.ts'
import { lists } from '../route-schemas.ts'
import type { App, Service } from '../service.ts'

const params = pathId('lesson type')

export function lessonTypeRoutes(app: App, service: Service): void {
  const { db } = service

  app.get(
    '/lesson-types',
    operation('catalogue', {
      permission: 'see_the_catalogue',
      operationId: 'listLessonTypes',
      summary: 'List the lesson types in the order of the school, hidden ones included',
      description:
        'Use it to choose the type of a lesson. Hidden types are listed, because lessons may have them.',
      returns: 'The lesson types, or a page of them.',
      ...lists(LessonTypeSchema, {}),
    }),
    async (request, reply) => sendList(request, reply, listLessonTypes(db, request.actor.tenant.id)),
  )

  app.get(
    '/lesson-types/:id',
    operation('catalogue', {
      permission: 'see_the_catalogue',
      operationId: 'getLessonType',
      summary: 'Read a lesson type',
      description: 'Use it to get the version before a change. Hidden lesson types can be read, too.',
      returns: 'The lesson type.',
      params,
      response: readable(ref(LessonTypeSchema), 401, 404),
    }),
    async ({ actor, params }, reply) => sendFound(reply, findLessonType(db, actor.tenant.id, params.id)),
  )

  app.patch(
    '/lesson-types/:id',
    operation('catalogue', {
      permission: 'run_the_school',
      operationId: 'changeLessonType',
      summary: 'Rename, hide, move or colour a lesson type, or change its default length',
      description:
        "Only for owners. Code, category and requirements come from the country's pack and cannot be changed.",
      returns: 'The lesson type as changed.',
      sends: ['ETag'],
      params,
      headers: ifMatch,
      body: ref(LessonTypeChangeSchema),
      response: responses({ 200: ref(LessonTypeSchema) }, 401, 403, 404, 412, ...BODY),
    }),
    async (request, reply) => {
      const { actor, params, body } = request
      const isExpected = expectedVersion(request)
      const lessonType = await changeLessonType(db, actor, params.id, { change: body, isExpected })
      return sendVersioned(reply, lessonType)
    },
  )
}
