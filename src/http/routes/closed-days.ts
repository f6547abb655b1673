import { Type } from 'typebox'
import { closeSchool, deleteClosure } from '../../booking/closures.ts'
import { ClosureSchema, closureFaultsFor, HolidaySchema, NewClosureSchema } from '../../contract/closure.ts'
import { described, LocalDate, ref } from '../../contract/fields.ts'
import { type Fault, invalidRequest } from '../../contract/problem.ts'
import { CLOSURES, listClosures } from '../../db/closures.ts'
import { holidaysOf } from '../../db/holidays.ts'
import { findRow } from '../../db/resource-rows.ts'
import { dayOf, localDateFor } from '../../domain/local-time.ts'
import { MAX_DAYS_OF_HOLIDAYS } from '../../domain/ranges.ts'
import { localToday } from '../../domain/time-zone.ts'
import { operation } from '../operation.ts'
import { sendMade } from '../requests/idempotency.ts'
import { pathId } from '../requests/path-id.ts'
import { expectedVersion, sendFound } from '../responses/entity-tag.ts'
import { sendItems, sendList } from '../responses/list-reply.ts'
import { readable, sendNoContent } from '../responses/responses.ts'
import { creates, deletes, lists } from '../route-schemas.ts'
import type { App, Service } from '../service.ts'

const params = pathId('closure')

/** Routes for closed days: computed public holidays, and the school's own closures. */
export function closedDayRoutes(app: App, service: Service): void {
  const { db } = service

  app.get(
    '/holidays',
    operation('closed days', {
      permission: 'see_the_catalogue',
      operationId: 'listHolidays',
      summary: "List the holidays of the school's country and region, by date",
      description:
        "They are computed locally from the school's `country`, `region` and `locale`. Only public holidays affect bookings, according to the school's `holidays`.",
      returns: 'The holidays, or a page of them.',
      ...lists(HolidaySchema, {
        from: Type.Optional(described(LocalDate, 'The first day; by default today.')),
        to: Type.Optional(
          described(
            LocalDate,
            `The last day, at most ${MAX_DAYS_OF_HOLIDAYS} days later; by default 365 days later.`,
          ),
        ),
      }),
    }),
    async (request, reply) => {
      const { actor, query } = request
      const first = dayOf(query.from ?? localToday(actor.now, actor.tenant.timezone))
      const last = query.to === undefined ? first + 365 : dayOf(query.to)
      const fault = rangeFault(first, last)
      if (fault) throw invalidRequest([fault])
      const find = await holidaysOf(actor.tenant)
      const found = Array.from({ length: last - first + 1 }, (_, at) => find(localDateFor(first + at)))
      return sendItems(request, reply, found.flat())
    },
  )

  app.get(
    '/closures',
    operation('closed days', {
      permission: 'see_the_catalogue',
      operationId: 'listClosures',
      summary: 'List the closures of the school, by their first day',
      description: 'Use it to show the days on which nothing can be booked.',
      returns: 'The closures, or a page of them.',
      ...lists(ClosureSchema, {}),
    }),
    async (request, reply) => sendList(request, reply, listClosures(db, request.actor.tenant.id)),
  )

  app.post(
    '/closures',
    operation('closed days', {
      permission: 'plan',
      faultsFor: closureFaultsFor,
      operationId: 'closeSchool',
      summary: 'Close the school on days',
      description: 'Bookings on these days are refused with `school_closed`. Booked lessons stay.',
      returns: 'The closure as stored.',
      ...creates(NewClosureSchema, ClosureSchema, 403),
    }),
    async (request, reply) =>
      sendMade(service, reply, (key) => closeSchool(db, request.actor, request.body, key)),
  )

  app.get(
    '/closures/:id',
    operation('closed days', {
      permission: 'see_the_catalogue',
      operationId: 'getClosure',
      summary: 'Read a closure',
      description: 'A deleted closure is 404; its history stays readable.',
      returns: 'The closure.',
      params,
      response: readable(ref(ClosureSchema), 401, 404),
    }),
    async ({ actor, params }, reply) => sendFound(reply, findRow(db, actor.tenant.id, CLOSURES, params.id)),
  )

  app.delete(
    '/closures/:id',
    operation('closed days', {
      permission: 'plan',
      operationId: 'deleteClosure',
      summary: 'Delete a closure',
      description: 'The days can be booked again. The change can be undone, like any other.',
      params,
      ...deletes('The closure is deleted'),
    }),
    async (request, reply) =>
      sendNoContent(reply, deleteClosure(db, request.actor, request.params.id, expectedVersion(request))),
  )
}

function rangeFault(first: number, last: number): Fault | undefined {
  if (first <= last && last - first <= MAX_DAYS_OF_HOLIDAYS) return undefined
  const detail = `to must be from ${localDateFor(first)} to ${localDateFor(first + MAX_DAYS_OF_HOLIDAYS)}.`
  return { pointer: '?to', code: 'out_of_range', detail }
}
