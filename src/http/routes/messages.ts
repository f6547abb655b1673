import { described, Id, optionals } from '../../contract/fields.ts'
import { MessageSchema, MessageStateSchema } from '../../contract/message.ts'
import { listMessages } from '../../db/messages.ts'
import { deriveMessages } from '../../mail/derive-messages.ts'
import { operation } from '../operation.ts'
import { sendList } from '../responses/list-reply.ts'
import { lists } from '../route-schemas.ts'
import type { App, Service } from '../service.ts'

const filters = optionals({
  appointment_id: described(Id, 'Only messages about this appointment.'),
  student_id: described(Id, 'Only messages to this student.'),
  state: described(MessageStateSchema, 'Only messages in this state.'),
})

export function messageRoutes(app: App, { db }: Service): void {
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
      const { tenant, now } = request.actor
      await deriveMessages(db, tenant.id, now)
      return sendList(request, reply, listMessages(db, tenant.id, filter))
    },
  )
}
