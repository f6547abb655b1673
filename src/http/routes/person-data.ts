import { Type } from 'typebox'
import { personData } from '../../booking/students/person-data.ts'
import { ref } from '../../contract/fields.ts'
import { PersonDataSchema } from '../../contract/person-data.ts'
import { readLessonTypeNames } from '../../db/school/lesson-types.ts'
import { operation } from '../operation.ts'
import { PAGE_POLICY } from '../pages/page-html.ts'
import { personPage } from '../pages/person-html.ts'
import { logAccess } from '../request-log.ts'
import { pathId } from '../requests/path-id.ts'
import { sendWhole } from '../responses/list-reply.ts'
import { readable, responses } from '../responses/responses.ts'
import type { App, Service } from '../service.ts'

const params = pathId('student')

/** Routes for all data of one person. */
export function personDataRoutes(app: App, { db }: Service): void {
  app.get(
    '/students/:id/data',
    operation('students', {
      permission: 'plan',
      operationId: 'getPersonData',
      summary: 'Get all stored data of a student, to hand it over',
      description:
        'It has every row of the student, deleted ones too, free texts as they are, and nothing of other students: of a group only the number. No secrets, and no names of users. A deleted student has data, too; a restricted one only for owners.',
      returns: 'The data, in sections.',
      params,
      response: readable(ref(PersonDataSchema), 401, 403, 404),
    }),
    async (request, reply) => {
      const data = await personData(db, request.actor, request.params.id)
      logAccess(request, 'person_data')
      return sendWhole(request, reply, JSON.stringify(data))
    },
  )

  app.get(
    '/students/:id/data.html',
    operation('students', {
      permission: 'plan',
      operationId: 'printPersonData',
      summary: 'Get all stored data of a student as a page to read or print',
      description:
        'It has the data of `GET /students/{id}/data`, with headings and codes in the language of the school, German or English.',
      params,
      response: responses({ 200: page }, 401, 403, 404),
    }),
    async (request, reply) => {
      const { actor, params } = request
      const data = await personData(db, actor, params.id)
      const types = await readLessonTypeNames(db, actor.tenant.id)
      logAccess(request, 'person_data')
      return reply
        .header('content-security-policy', PAGE_POLICY)
        .type('text/html; charset=utf-8')
        .send(personPage(data, actor.tenant, types))
    },
  )
}

const page = Type.Unsafe<string>({
  description: 'A page without scripts.',
  content: { 'text/html': { schema: { type: 'string' } } },
})
