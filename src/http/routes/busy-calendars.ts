import { Type } from 'typebox'
import { ownOf } from '../../auth/permissions.ts'
import { addBusyCalendar, deleteBusyCalendar, readBusyTimes } from '../../booking/school/busy-calendars.ts'
import type { Actor } from '../../contract/actor.ts'
import {
  BusyCalendarSchema,
  BusyTimesSchema,
  busyCalendarFaultsFor,
  NewBusyCalendarSchema,
} from '../../contract/busy-calendar.ts'
import { closed, described, Id, LocalDate, ref } from '../../contract/fields.ts'
import { type Fault, invalidRequest, notFound } from '../../contract/problem.ts'
import { listBusyCalendars } from '../../db/school/busy-calendars.ts'
import { requireInstructor } from '../../db/school/instructors.ts'
import { dayOf, daysLater } from '../../domain/local-time.ts'
import { localToday } from '../../domain/time-zone.ts'
import { operation } from '../operation.ts'
import { idempotencyKey, makeOnce, sendIdempotentResult } from '../requests/idempotency.ts'
import { pathId } from '../requests/path-id.ts'
import { requireReceiver } from '../requests/public-receiver.ts'
import { sendList, sendWhole } from '../responses/list-reply.ts'
import { BODY, noContent, readable, responses, sendNoContent } from '../responses/responses.ts'
import { lists } from '../route-schemas.ts'
import { API_PREFIX, type App, type Service } from '../service.ts'

const MAX_DAYS = 92
const DEFAULT_DAYS = 28

const params = pathId('instructor')
const calendarParams = Type.Object({
  ...params.properties,
  calendar_id: described(
    Id,
    'The id of the calendar. One that is malformed, unknown or of another instructor is 404.',
  ),
})

/** Routes for calendars that instructors keep elsewhere, and for the times that they are busy there. */
export function busyCalendarRoutes(app: App, service: Service): void {
  const { db, addresses, busyAddresses } = service

  app.get(
    '/instructors/:id/busy-calendars',
    operation('busy calendars', {
      permission: 'share_a_calendar',
      operationId: 'listBusyCalendars',
      summary: "List an instructor's busy calendars, oldest first",
      description: 'Instructors can read their own. The addresses are never shown.',
      returns: 'The calendars, or a page of them.',
      params,
      ...lists(BusyCalendarSchema, {}, 404),
    }),
    async (request, reply) => {
      const { actor } = request
      const instructor_id = ownInstructor(actor, request.params.id)
      await requireInstructor(db, actor.tenant.id, instructor_id)
      return sendList(request, reply, listBusyCalendars(db, actor.tenant.id, { instructor_id }))
    },
  )

  app.post(
    '/instructors/:id/busy-calendars',
    operation('busy calendars', {
      permission: 'share_a_calendar',
      faultsFor: busyCalendarFaultsFor,
      operationId: 'addBusyCalendar',
      summary: 'Add a calendar that the instructor keeps elsewhere',
      description:
        'Instructors can add their own. It is read at once and then every 15 minutes; of its entries, only the times of the next 92 days are kept, according to the `busy_calendars` of the school. 400 for an address that is private, loopback, link-local or unknown to DNS, and beyond 5 calendars.',
      returns: 'The calendar as stored.',
      params,
      headers: idempotencyKey,
      body: ref(NewBusyCalendarSchema),
      sends: ['Location'],
      response: responses({ 201: ref(BusyCalendarSchema) }, 401, 404, 409, 422, ...BODY),
    }),
    async (request, reply) => {
      const { actor, body } = request
      const instructor_id = ownInstructor(actor, request.params.id)
      await requireInstructor(db, actor.tenant.id, instructor_id)
      const result = await makeOnce(service, request, async (key) => {
        await requireReceiver(addresses, body.url)
        return addBusyCalendar(db, actor, { instructor_id, fields: body, addresses: busyAddresses }, key)
      })
      reply.code(201).header('location', `${API_PREFIX}/instructors/${instructor_id}/busy-calendars`)
      return sendIdempotentResult(reply, result)
    },
  )

  app.delete(
    '/instructors/:id/busy-calendars/:calendar_id',
    operation('busy calendars', {
      permission: 'share_a_calendar',
      operationId: 'deleteBusyCalendar',
      summary: 'Delete a busy calendar and its times',
      description: 'Instructors can delete their own.',
      params: calendarParams,
      response: responses({ 204: noContent('The calendar is deleted') }, 401, 404, ...BODY),
    }),
    async ({ actor, params: { id, calendar_id } }, reply) => {
      const instructor_id = ownInstructor(actor, id)
      await deleteBusyCalendar(db, actor, { instructor_id, id: calendar_id })
      return sendNoContent(reply)
    },
  )

  app.get(
    '/busy-times',
    operation('busy calendars', {
      permission: 'look',
      operationId: 'listBusyTimes',
      summary: 'List the times in which instructors are busy elsewhere',
      description:
        'Only instructors with busy calendars are listed, to an instructor only the own times; none if the school ignores busy calendars.',
      returns: 'The instructors with their times that touch the days.',
      querystring: closed({
        from: Type.Optional(described(LocalDate, 'The first day; by default today.')),
        to: Type.Optional(
          described(
            LocalDate,
            `The last day, at most ${MAX_DAYS} days later; by default ${DEFAULT_DAYS} days later.`,
          ),
        ),
      }),
      response: readable(Type.Array(ref(BusyTimesSchema)), 401),
    }),
    async (request, reply) => {
      const { actor, query } = request
      const from = query.from ?? localToday(actor.now, actor.tenant.timezone)
      const to = query.to ?? daysLater(from, DEFAULT_DAYS)
      const fault = rangeFault(from, to)
      if (fault) throw invalidRequest([fault])
      const times = await readBusyTimes(db, actor, { ...ownOf(actor), from, to })
      return sendWhole(request, reply, JSON.stringify(times))
    },
  )
}

/** Returns the instructor's id. Throws `not_found` if the actor is another instructor. */
function ownInstructor(actor: Actor, id: string): string {
  const { own = id } = ownOf(actor)
  if (own !== id) throw notFound()
  return id
}

function rangeFault(from: string, to: string): Fault | undefined {
  const days = dayOf(to) - dayOf(from)
  if (days >= 0 && days <= MAX_DAYS) return undefined
  const detail = `to must be from ${from} to ${daysLater(from, MAX_DAYS)}.`
  return { pointer: '?to', code: 'out_of_range', detail }
}
