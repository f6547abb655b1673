import { Type } from 'typebox'
import { seenStudentsOf } from '../../auth/permissions.ts'
import { deleteTick, listTicks, writeTick } from '../../booking/trainings/ticks.ts'
import { ref } from '../../contract/fields.ts'
import { notFound } from '../../contract/problem.ts'
import { NewTickSchema, TickSchema } from '../../contract/tick.ts'
import { findEnrolment } from '../../db/students/enrolments.ts'
import { TICK_KINDS } from '../../domain/ticks.ts'
import { operation } from '../operation.ts'
import { pathId } from '../requests/path-id.ts'
import { sendWhole } from '../responses/list-reply.ts'
import { BODY, noContent, readable, responses, sendNoContent } from '../responses/responses.ts'
import type { App, Service } from '../service.ts'

const params = pathId('enrolment')
const named = Type.Object({
  ...params.properties,
  kind: Type.Enum([...TICK_KINDS], {
    description: 'The paper or test. One that the class does not have is 404.',
  }),
})

/** Routes for the papers and tests of enrolments. */
export function tickRoutes(app: App, { db }: Service): void {
  app.get(
    '/enrolments/:id/ticks',
    operation('enrolments', {
      permission: 'look',
      operationId: 'listTicks',
      summary: 'List the papers and tests that the class needs, with their states',
      description:
        'Instructors can read those of the students whom they see. Which ones there are, how long they are valid and what they are needed for is the law of the country.',
      returns: "The ticks, in the order of the country's pack.",
      params,
      response: readable(Type.Array(ref(TickSchema)), 401, 404),
    }),
    async (request, reply) => {
      const { actor, params } = request
      if (!(await findEnrolment(db, actor.tenant.id, params.id, seenStudentsOf(actor)))) throw notFound()
      return sendWhole(request, reply, JSON.stringify(await listTicks(db, actor, params.id)))
    },
  )

  app.put(
    '/enrolments/:id/ticks/:kind',
    operation('enrolments', {
      permission: 'plan',
      operationId: 'writeTick',
      summary: 'Enter a paper or test, or replace the one entered before',
      description:
        'Without `valid_until` the rule of the country decides, such as 24 months for a sight test in Germany. 409 `from_appointment` if the result of an exam has made the tick: change that result instead.',
      returns: 'The tick.',
      params: named,
      body: ref(NewTickSchema),
      response: responses({ 200: ref(TickSchema) }, 401, 403, 404, 409, ...BODY),
    }),
    async ({ actor, params: { id, kind }, body }) => writeTick(db, actor, { enrolment_id: id, kind }, body),
  )

  app.delete(
    '/enrolments/:id/ticks/:kind',
    operation('enrolments', {
      permission: 'plan',
      operationId: 'deleteTick',
      summary: 'Delete a paper or test that was entered by mistake',
      description:
        '404 if nobody has entered it. 409 `from_appointment` if the result of an exam has made it.',
      params: named,
      response: responses({ 204: noContent('The tick is deleted') }, 401, 403, 404, 409, ...BODY),
    }),
    async ({ actor, params: { id, kind } }, reply) =>
      sendNoContent(reply, deleteTick(db, actor, { enrolment_id: id, kind })),
  )
}
