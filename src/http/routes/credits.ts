import type { FastifyReply, FastifyRequest } from 'fastify'
import { seenStudentsOf } from '../../auth/permissions.ts'
import { replaceCredits } from '../../booking/trainings/credits.ts'
import { CreditsSchema, NewCreditsSchema } from '../../contract/credit.ts'
import { ref } from '../../contract/fields.ts'
import { notFound } from '../../contract/problem.ts'
import { type EnrolmentCredits, findCredits } from '../../db/students/records.ts'
import { operation } from '../operation.ts'
import { pathId } from '../requests/path-id.ts'
import { expectedVersion, sendComputed } from '../responses/entity-tag.ts'
import { readable } from '../responses/responses.ts'
import { changes } from '../route-schemas.ts'
import type { App, Service } from '../service.ts'

const params = pathId('enrolment')

/** Routes for the units that a student had elsewhere, of any enrolment. */
export function creditRoutes(app: App, { db }: Service): void {
  app.get(
    '/enrolments/:id/credits',
    operation('enrolments', {
      permission: 'look',
      operationId: 'getCredits',
      summary: 'Read the units of an enrolment that the student had elsewhere',
      description:
        'Instructors can read them for the students whom they see. Those of the current enrolment are the opening balance of the student.',
      returns: 'The credits, in the order in which they were entered.',
      params,
      response: readable(ref(CreditsSchema), 401, 404),
    }),
    async (request, reply) => {
      const { actor, params } = request
      const found = await findCredits(db, actor.tenant.id, params.id, seenStudentsOf(actor))
      if (!found) throw notFound()
      return sendCredits(request, reply, found)
    },
  )

  app.put(
    '/enrolments/:id/credits',
    operation('enrolments', {
      permission: 'plan',
      operationId: 'replaceCredits',
      summary: 'Replace the units of an enrolment that the student had elsewhere',
      description:
        'Send all entries; `[]` removes them. `{ "from_enrolment_id" }` copies the sums of another enrolment of the student, without theory that counts for every class. Those of the current enrolment are the opening balance. The version is the enrolment\'s. 404 if a lesson type does not exist in this school.',
      returns: 'The credits as stored.',
      params,
      ...changes(NewCreditsSchema, CreditsSchema, 404),
    }),
    async (request, reply) => {
      const { actor, params, body } = request
      const intent = { credits: body, isExpected: expectedVersion(request) }
      return sendCredits(request, reply, await replaceCredits(db, actor, params.id, intent))
    },
  )
}

function sendCredits(request: FastifyRequest, reply: FastifyReply, { version, credits }: EnrolmentCredits) {
  const shown = credits.map(({ requirement_key: _, ...credit }) => credit)
  return sendComputed(request, reply, { version }, shown)
}
