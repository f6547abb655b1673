import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { addAttendee, markAttendee, removeAttendee } from '../../booking/lessons/change-attendees.ts'
import { AppointmentSchema, AttendanceSchema } from '../../contract/appointment.ts'
import { described, Id, ref } from '../../contract/fields.ts'
import { operation } from '../operation.ts'
import { pathId } from '../requests/path-id.ts'
import { expectedVersion, ifMatch, sendVersioned } from '../responses/entity-tag.ts'
import { BODY, responses, sendNoContent } from '../responses/responses.ts'
import { changes, deletes } from '../route-schemas.ts'
import type { App, Service } from '../service.ts'

const path = '/appointments/:id/attendees/:student_id'
const params = Type.Object({
  ...pathId('appointment').properties,
  student_id: described(
    Id,
    'The id of the student. One that is malformed, unknown or of another school is 404.',
  ),
})

export function attendeeRoutes(app: App, service: Service): void {
  const { db } = service

  app.post(
    path,
    operation('appointments', {
      permission: 'book',
      operationId: 'addAttendee',
      summary: 'Add a student to a group, if the rules allow it',
      description:
        'Needs a lesson type with more than one seat. `full` if no seat is free, `student_busy` if the student has another appointment. For a student who is in the group nothing changes.',
      returns: 'The appointment with the student.',
      params,
      headers: ifMatch,
      sends: ['ETag'],
      response: responses({ 200: ref(AppointmentSchema) }, 401, 403, 404, 409, 412, ...BODY),
    }),
    async (request, reply) => sendVersioned(reply, await addAttendee(db, request.actor, seatOf(request))),
  )

  app.delete(
    path,
    operation('appointments', {
      permission: 'book',
      operationId: 'removeAttendee',
      summary: 'Remove a student from a group that has not begun',
      description:
        'Once the group has begun, the response is 409 `already_begun`: set `attended` to false instead. The `ETag` is that of the appointment.',
      params,
      sends: ['ETag'],
      ...deletes('The student is not in the group', 409),
    }),
    async (request, reply) => {
      sendVersioned(reply, await removeAttendee(db, request.actor, seatOf(request)))
      return sendNoContent(reply)
    },
  )

  app.patch(
    path,
    operation('appointments', {
      permission: 'note_outcomes',
      operationId: 'markAttendee',
      summary: 'Record whether a student was in a group',
      description:
        'The units count toward the requirements of students who attended, once the appointment is `completed`. Instructors can do this for their own groups.',
      returns: 'The appointment as changed.',
      params,
      ...changes(AttendanceSchema, AppointmentSchema, 404),
    }),
    async (request, reply) => {
      const { attended } = request.body
      return sendVersioned(reply, await markAttendee(db, request.actor, seatOf(request), attended))
    },
  )
}

function seatOf(request: FastifyRequest) {
  const { id, student_id } = request.params as { readonly id: string; readonly student_id: string }
  return { id, student_id, isExpected: expectedVersion(request) }
}
