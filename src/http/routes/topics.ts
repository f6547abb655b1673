import { Type } from 'typebox'
import { topicsOf } from '../../booking/packs.ts'
import { ref } from '../../contract/fields.ts'
import type { Tenant } from '../../contract/tenant.ts'
import { StudentTopicSchema, type Topic, TopicSchema } from '../../contract/topic.ts'
import { readLessonTypeNames } from '../../db/lesson-types.ts'
import { requireTraining } from '../../db/progress.ts'
import type { Database } from '../../db/schema/tables.ts'
import { readComingClasses, readOwnClasses } from '../../db/topics.ts'
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

/** Returns the topics of the country's plan with the lesson types of the school. */
async function topicsIn(
  db: Database,
  { id, country }: Pick<Tenant, 'id' | 'country'>,
): Promise<readonly Topic[]> {
  const plan = topicsOf(country)
  if (plan.length === 0) return []
  const codes = [...(await readLessonTypeNames(db, id))].map(([id, { code }]) => [code, id] as const)
  const idOf = new Map(codes)
  return plan.flatMap(({ lesson_type, topic, name, license_classes }) => {
    const lesson_type_id = idOf.get(lesson_type)
    return lesson_type_id === undefined
      ? []
      : [{ lesson_type_id, topic, name, license_classes: [...license_classes] }]
  })
}
