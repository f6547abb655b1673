import { Type } from 'typebox'
import { ownOf, visibleTo } from '../../auth/permissions.ts'
import { bookAppointment } from '../../booking/lessons/book-appointment.ts'
import { changeAppointment, requireAppointment } from '../../booking/lessons/change-appointment.ts'
import { checkAppointment } from '../../booking/lessons/check-appointment.ts'
import { deleteAppointment, restoreAppointment } from '../../booking/lessons/delete-appointment.ts'
import { warningOfChange } from '../../booking/records/sign-record.ts'
import {
  AppointmentChangeSchema,
  AppointmentSchema,
  AppointmentStatusSchema,
  appointmentFaultsFor,
  NewAppointmentSchema,
} from '../../contract/appointment.ts'
import {
  AppointmentCheckSchema,
  ChangedAppointmentSchema,
  CheckSchema,
  checkFaultsFor,
} from '../../contract/check.ts'
import { described, Id, optionals, ref } from '../../contract/fields.ts'
import { invalidRequest } from '../../contract/problem.ts'
import { type AppointmentFilter, listAppointments } from '../../db/appointments/appointments.ts'
import { isToCome } from '../../domain/counted.ts'
import { localNow } from '../../domain/time-zone.ts'
import { operation } from '../operation.ts'
import { sendMade } from '../requests/idempotency.ts'
import { pathId } from '../requests/path-id.ts'
import { endOf, orderFault, RangeEnd, startOf } from '../requests/time-range.ts'
import { expectedVersion, intentOf, sendVersioned } from '../responses/entity-tag.ts'
import { sendList } from '../responses/list-reply.ts'
import { BODY, readable, responses, sendNoContent } from '../responses/responses.ts'
import { changes, creates, deletes, lists } from '../route-schemas.ts'
import type { App, Service } from '../service.ts'

const filterParameters = optionals({
  from: described(RangeEnd, 'Only appointments that end after this date or time.'),
  to: described(
    RangeEnd,
    'Only appointments that start before this time; a bare date includes that whole day.',
  ),
  instructor_id: described(Id, 'Only appointments of this instructor.'),
  student_id: described(Id, 'Only appointments of this student.'),
  series_id: described(Id, 'Only appointments of this series.'),
  status: described(AppointmentStatusSchema, 'Only appointments in this state.'),
  missed: Type.Enum(['true', 'false'], {
    description: 'Whether to list only no-shows, late cancellations by students, and others with a fee.',
  }),
})
const params = pathId('appointment')

export function appointmentRoutes(app: App, service: Service): void {
  const { db } = service

  app.get(
    '/appointments',
    operation('appointments', {
      permission: 'look',
      operationId: 'listAppointments',
      summary: 'List the appointments that overlap a range, by start_at, id',
      description:
        "Use it to draw a calendar: `from` and `to` are the school's wall clock, and both are optional. Cancelled appointments are listed, deleted ones are not; an instructor gets only their own.",
      returns: 'The appointments, or a page of them.',
      ...lists(AppointmentSchema, filterParameters),
    }),
    async (request, reply) => {
      const { actor, query } = request
      const list = listAppointments(db, actor.tenant.id, { ...filterFor(query), ...ownOf(actor) })
      return sendList(request, reply, list)
    },
  )

  app.post(
    '/appointments',
    operation('appointments', {
      permission: 'book',
      faultsFor: appointmentFaultsFor,
      operationId: 'bookAppointment',
      summary: 'Book an appointment, if the rules allow it',
      description:
        'A broken rule is a 409 whose `code` names it and whose `params` hold the numbers. An appointment booked as `cancelled` is subject to no rule, and the past may be booked.',
      returns: 'The appointment as booked.',
      ...creates(NewAppointmentSchema, AppointmentSchema, 403, 404),
    }),
    async (request, reply) =>
      sendMade(service, reply, (key) => bookAppointment(db, request.actor, request.body, { key })),
  )

  app.post(
    '/appointments/check',
    operation('appointments', {
      permission: 'book',
      reads: true,
      faultsFor: checkFaultsFor,
      operationId: 'checkAppointment',
      summary: 'Check a booking or a change against the rules, without storing it',
      description:
        'Use it while a person fills in a form or drags a lesson. Nothing is written or reserved, so booking may still be refused.',
      returns: 'The verdict: broken rules, warnings, used units and alternatives.',
      body: ref(AppointmentCheckSchema),
      response: responses({ 200: ref(CheckSchema) }, 401, 403, 404, ...BODY),
    }),
    async (request) => checkAppointment(db, request.actor, request.body, request.slicer),
  )

  app.get(
    '/appointments/:id',
    operation('appointments', {
      permission: 'look',
      operationId: 'getAppointment',
      summary: 'Read an appointment',
      description:
        'Cancelled appointments can be read, deleted ones are 404. An instructor reads only their own.',
      returns: 'The appointment.',
      params,
      response: readable(ref(AppointmentSchema), 401, 404),
    }),
    async (request, reply) => {
      const { actor, params } = request
      const appointment = await requireAppointment(db, actor.tenant.id, params.id)
      return sendVersioned(reply, visibleTo(actor, appointment))
    },
  )

  app.patch(
    '/appointments/:id',
    operation('appointments', {
      permission: 'note_outcomes',
      faultsFor: appointmentFaultsFor,
      operationId: 'changeAppointment',
      summary: 'Change an appointment, if the rules allow the result',
      description:
        'The rules apply to the result, also when a lesson stops being `cancelled`; recording how it went (`status`, `notes`, `practised`, actual times) is subject to none. An instructor may only record that, for their own lessons.',
      returns: 'The appointment as changed, with `warnings` if there are any.',
      params,
      ...changes(AppointmentChangeSchema, ChangedAppointmentSchema, 404, 409),
    }),
    async (request, reply) => {
      const { actor, params, body } = request
      // With another student or enrolment, the lesson leaves a record that may be signed.
      const mayLeave = [body.student_id, body.enrolment_id, body.attendees].some((one) => one !== undefined)
      const before = mayLeave ? await requireAppointment(db, actor.tenant.id, params.id) : undefined
      const changed = await changeAppointment(db, actor, params.id, intentOf(request))
      const warning = isToCome(changed, localNow(actor.now, actor.tenant.timezone))
        ? undefined
        : await warningOfChange(db, actor, changed, before)
      return sendVersioned(reply, warning ? { ...changed, warnings: [warning] } : changed)
    },
  )

  app.delete(
    '/appointments/:id',
    operation('appointments', {
      permission: 'plan',
      operationId: 'deleteAppointment',
      summary: 'Hide an appointment and free its time',
      description:
        'Use it for a booking made by mistake; to call off a lesson, cancel it instead. The row stays in the history and can be restored.',
      params,
      ...deletes('The appointment is deleted'),
    }),
    async (request, reply) =>
      sendNoContent(reply, deleteAppointment(db, request.actor, request.params.id, expectedVersion(request))),
  )

  app.post(
    '/appointments/:id/restore',
    operation('appointments', {
      permission: 'plan',
      operationId: 'restoreAppointment',
      summary: 'Undo a deletion, if the rules still allow the appointment',
      description:
        'A broken rule is a 409, as in booking. For an appointment that is not deleted nothing changes; 404 if its student is deleted.',
      returns: 'The appointment as restored.',
      params,
      sends: ['ETag'],
      response: responses({ 200: ref(AppointmentSchema) }, 401, 403, 404, 409, ...BODY),
    }),
    async (request, reply) =>
      sendVersioned(reply, await restoreAppointment(db, request.actor, request.params.id)),
  )
}

type FilterQuery = Omit<AppointmentFilter, 'missed'> & { readonly missed?: 'true' | 'false' }

/** Converts the query to a half-open range; a bare date as `to` includes the day. */
function filterFor({ from, to, missed, ...others }: FilterQuery): AppointmentFilter {
  const fault = from && to ? orderFault(from, to) : undefined
  if (fault) throw invalidRequest([fault])
  const { instructor_id, student_id, series_id, status } = others
  return {
    from: from && startOf(from),
    to: to && endOf(to),
    instructor_id,
    student_id,
    series_id,
    status,
    ...(missed === 'true' && { missed: true }),
  }
}
