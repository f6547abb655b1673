import { resendMessage, tellMessage } from '../../booking/school/resend-message.ts'
import { described, Id, optionals, ref } from '../../contract/fields.ts'
import { MessageSchema, MessageStateSchema } from '../../contract/message.ts'
import { listMessages } from '../../db/messages/messages.ts'
import { databaseClock } from '../../db/now.ts'
import { deriveMessages } from '../../mail/derive-messages.ts'
import { succeeds } from '../../mail/each-school.ts'
import { operation } from '../operation.ts'
import { pathId } from '../requests/path-id.ts'
import { sendList } from '../responses/list-reply.ts'
import { BODY, responses } from '../responses/responses.ts'
import { lists } from '../route-schemas.ts'
import type { App, Service } from '../service.ts'

const filters = optionals({
  appointment_id: described(Id, 'Only messages about this appointment.'),
  student_id: described(Id, 'Only messages to this student.'),
  state: described(MessageStateSchema, 'Only messages in this state.'),
})

export function messageRoutes(app: App, { db, databaseClock: clock = databaseClock }: Service): void {
  app.get(
    '/messages',
    operation('messages', {
      permission: 'plan',
      operationId: 'listMessages',
      summary: 'List the messages to students and instructors, newest first',
      description:
        'Use it to see whether a message waits, was sent, failed or was dropped, and why. The school chooses its messages in `messages` of `PATCH /tenant`; finished ones are kept for 90 days.',
      returns: 'The messages, or a page of them.',
      ...lists(MessageSchema, filters, 403),
    }),
    async (request, reply) => {
      const { limit: _, cursor: __, ...filter } = request.query
      const { tenant } = request.actor
      // A database that takes no writes still has a list to show.
      await succeeds(tenant.id, request.log, () => deriveMessages(db, tenant.id, clock))
      return sendList(request, reply, listMessages(db, tenant.id, filter))
    },
  )

  app.post(
    '/messages/:id/resend',
    operation('messages', {
      permission: 'plan',
      operationId: 'resendMessage',
      summary: 'Send a message once more that failed or was dropped',
      description:
        'Correct first what the reason names, such as the address: the message goes to the present one. 409 `not_resendable` if it was sent, is still waiting, contains a secret link, or its lesson is over.',
      returns: 'The message, waiting again.',
      params: pathId('message'),
      response: responses({ 200: ref(MessageSchema) }, 401, 403, 404, 409, ...BODY),
    }),
    async ({ actor, params }) => resendMessage(db, actor, params.id),
  )

  app.post(
    '/messages/:id/told',
    operation('messages', {
      permission: 'plan',
      operationId: 'tellMessage',
      summary: 'Mark a message as told by telephone',
      description:
        'Use it after the call that the inbox asks for: its entry disappears. For a `call` that waits, and a message that reached nobody; any other stays as it is.',
      returns: 'The message, sent by `call`.',
      params: pathId('message'),
      response: responses({ 200: ref(MessageSchema) }, 401, 403, 404, ...BODY),
    }),
    async ({ actor, params }) => tellMessage(db, actor, params.id),
  )
}
