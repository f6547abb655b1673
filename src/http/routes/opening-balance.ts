import { seenStudentsOf } from '../../auth/permissions.ts'
import { changeOpeningBalance } from '../../booking/trainings/credits.ts'
import { ref } from '../../contract/fields.ts'
import { OpeningBalanceSchema } from '../../contract/opening-balance.ts'
import { notFound } from '../../contract/problem.ts'
import { findOpeningBalance } from '../../db/students/opening-balances.ts'
import { operation } from '../operation.ts'
import { pathId } from '../requests/path-id.ts'
import { expectedVersion, sendVersioned } from '../responses/entity-tag.ts'
import { readable } from '../responses/responses.ts'
import { changes } from '../route-schemas.ts'
import type { App, Service } from '../service.ts'

const params = pathId('student')

export function openingBalanceRoutes(app: App, service: Service): void {
  const { db } = service

  app.get(
    '/students/:id/opening-balance',
    operation('students', {
      permission: 'look',
      operationId: 'getOpeningBalance',
      summary: 'Read the units that a student had elsewhere, or before the school used the service',
      description:
        "Instructors can read it for the students whom they see. It has the credits of the current enrolment, without minutes, document and topics; if there is none, it waits for the next one. The `ETag` is the student's; the student's history names the author of each entry.",
      returns: 'The entries, in the order in which they were entered.',
      params,
      response: readable(ref(OpeningBalanceSchema), 401, 404),
    }),
    async (request, reply) => {
      const { actor, params } = request
      const found = await findOpeningBalance(db, actor.tenant.id, params.id, seenStudentsOf(actor))
      if (!found) throw notFound()
      return sendVersioned(reply, found)?.opening_balance
    },
  )

  app.put(
    '/students/:id/opening-balance',
    operation('students', {
      permission: 'plan',
      operationId: 'replaceOpeningBalance',
      summary: 'Replace the units that a student had elsewhere, or before the school used the service',
      description:
        'Send all entries; `[]` removes them. They replace the credits of the current enrolment; an entry that is among those keeps minutes, document and topics. Progress counts them as done. 404 if a lesson type does not exist in this school.',
      returns: 'The entries as stored.',
      params,
      ...changes(OpeningBalanceSchema, OpeningBalanceSchema, 404),
    }),
    async (request, reply) => {
      const { actor, params, body } = request
      const intent = { balance: body, isExpected: expectedVersion(request) }
      return sendVersioned(reply, await changeOpeningBalance(db, actor, params.id, intent))?.opening_balance
    },
  )
}
