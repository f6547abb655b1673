import { Type } from 'typebox'
import { closed, ref } from '../../contract/fields.ts'
import { LessonTypeSchema } from '../../contract/lesson-type.ts'
import { listLessonTypes } from '../../db/lesson-types.ts'
import { answers, empty } from '../answers.ts'
import { pageParameters, sendList } from '../list-reply.ts'
import type { App, Service } from '../service.ts'

/** Lesson types are read-only: the command line makes them from a country's pack. */
export function lessonTypeRoutes(app: App, { db }: Service): void {
  app.get(
    '/lesson-types',
    {
      config: { may: 'see_the_catalogue' },
      schema: {
        tags: ['catalogue'],
        operationId: 'listLessonTypes',
        summary: 'List the lesson types',
        querystring: closed(pageParameters),
        response: answers({ 200: Type.Array(ref(LessonTypeSchema)), 304: empty('Not modified') }, 401),
      },
    },
    async (request, reply) => sendList(request, reply, listLessonTypes(db, request.actor.tenant.id)),
  )
}
