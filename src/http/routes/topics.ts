import { Type } from 'typebox'
import { topicsIn } from '../../booking/school/school-topics.ts'
import { ref } from '../../contract/fields.ts'
import { StudentTopicSchema, TopicSchema } from '../../contract/topic.ts'
import { requireTraining } from '../../db/students/progress.ts'
import { readComingClasses, readOwnClasses } from '../../db/students/topics.ts'
import { localNow } from '../../domain/time-zone.ts'
import { topicStatesOf } from '../../domain/topics.ts'
import { operation } from '../operation.ts'
import { pathId } from '../requests/path-id.ts'
import { sendWhole } from '../responses/list-reply.ts'
import { readable } from '../responses/responses.ts'
import type { App, Service } from '../service.ts'

const params = pathId('student')

export function topicRoutes(app: App, { db }: Service): void {
  app.get(
    '/topics',
    operation('catalogue', {
      permission: 'see_the_catalogue',
      operationId: 'listTopics',
      summary: "List the topics of theory of the country's plan, in its order",
      description:
        'Use it for the `topics` of a course (`POST /appointments/series`) and the `topic` of a class. Empty if the country has no plan of topics.',
      returns: 'The topics.',
      response: readable(Type.Array(ref(TopicSchema)), 401),
    }),
    async (request, reply) =>
      sendWhole(request, reply, JSON.stringify(await topicsIn(db, request.actor.tenant))),
  )

  app.get(
    '/students/:id/topics',
    operation('students', {
      permission: 'plan',
      operationId: 'studentTopics',
      summary: "List the topics of theory that a student's class requires: attended, planned, missing",
      description:
        'Use it to see which classes a student still needs, and when the next one of each is. Once enough units are attended, no topic is missing.',
      returns: 'The topics, in the order of the plan.',
      params,
      response: readable(Type.Array(ref(StudentTopicSchema)), 401, 403, 404),
    }),
    async (request, reply) => {
      const { actor, params } = request
      const { tenant } = actor
      const training = await requireTraining(db, tenant.id, { id: params.id })
      const states = topicStatesOf({
        training,
        topics: await topicsIn(db, tenant),
        own: await readOwnClasses(db, tenant.id, params.id),
        coming: await readComingClasses(db, tenant.id, localNow(actor.now, tenant.timezone)),
        unit_minutes: tenant.unit_minutes,
      })
      return sendWhole(request, reply, JSON.stringify(states))
    },
  )
}
