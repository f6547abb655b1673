import { Type } from 'typebox'
import { closeSchool, deleteClosure } from '../../booking/closures.ts'
import { ClosureSchema, closureFaultsFor, HolidaySchema, NewClosureSchema } from '../../contract/closure.ts'
import { closed, described, LocalDate, ref } from '../../contract/fields.ts'
import { type Fault, invalidRequest } from '../../contract/problem.ts'
import { listClosures } from '../../db/closures.ts'
import { holidaysOf } from '../../db/holidays.ts'
import type { IdempotencyKey } from '../../db/idempotency-keys.ts'
import { dayOf, localDateFor } from '../../domain/local-time.ts'
import { MOST_DAYS_OF_HOLIDAYS } from '../../domain/ranges.ts'
import { localToday } from '../../domain/time-zone.ts'
import { idempotencyKey, makeOnce, sendMade } from '../requests/idempotency.ts'
import { pathId } from '../requests/path-id.ts'
import { expectedVersion, ifMatch } from '../responses/entity-tag.ts'
import { pageParameters, sendList, sendWhole } from '../responses/list-reply.ts'
import { BODY, noContent, responses } from '../responses/responses.ts'
import type { App, Service } from '../service.ts'

const tags = ['closed days']
const params = pathId('closure')

/** Routes for closed days: computed public holidays, and the school's own closures. */
export function closedDayRoutes(app: App, service: Service): void {
  holidaysRoute(app)
  listRoute(app, service)
  closeRoute(app, service)
  deleteRoute(app, service)
}

function holidaysRoute(app: App): void {
  app.get(
    '/holidays',
    {
      config: { permission: 'see_the_catalogue' },
      schema: {
        tags,
        operationId: 'listHolidays',
        summary: "List the holidays of the school's country and region, by date",
        description:
          'They are computed, without a network, by the `country`, `region` and `locale` of the school. Only public holidays warn or refuse, as `holidays` of the school says.',
        returns: 'The holidays.',
        querystring: closed({
          from: Type.Optional(described(LocalDate, 'The first day; by default today.')),
          to: Type.Optional(
            described(
              LocalDate,
              `The last day, at most ${MOST_DAYS_OF_HOLIDAYS} days later; by default 365.`,
            ),
          ),
        }),
        response: responses(
          { 200: Type.Array(ref(HolidaySchema)), 304: noContent('You have the current version') },
          401,
        ),
      },
    },
    async (request, reply) => {
      const { actor, query } = request
      const first = dayOf(query.from ?? localToday(actor.now, actor.tenant.timezone))
      const last = query.to === undefined ? first + 365 : dayOf(query.to)
      const fault = rangeFault(first, last)
      if (fault) throw invalidRequest([fault])
      const find = await holidaysOf(actor.tenant)
      const found = Array.from({ length: last - first + 1 }, (_, at) => find(localDateFor(first + at)))
      return sendWhole(request, reply, JSON.stringify(found.flat()))
    },
  )
}

function rangeFault(first: number, last: number): Fault | undefined {
  if (first <= last && last - first <= MOST_DAYS_OF_HOLIDAYS) return undefined
  const detail = `to must be from ${localDateFor(first)} to ${localDateFor(first + MOST_DAYS_OF_HOLIDAYS)}.`
  return { pointer: '?to', code: 'out_of_range', detail }
}

function listRoute(app: App, { db }: Service): void {
  app.get(
    '/closures',
    {
      config: { permission: 'see_the_catalogue' },
      schema: {
        tags,
        operationId: 'listClosures',
        summary: 'List the closures of the school, by their first day',
        description: 'Use it for the days on which nobody can be booked because the school is closed.',
        returns: 'The closures, or a page of them.',
        querystring: closed(pageParameters),
        response: responses(
          { 200: Type.Array(ref(ClosureSchema)), 304: noContent('You have the current version') },
          401,
        ),
      },
    },
    async (request, reply) => sendList(request, reply, listClosures(db, request.actor.tenant.id)),
  )
}

function closeRoute(app: App, service: Service): void {
  app.post(
    '/closures',
    {
      config: { permission: 'plan', faultsFor: closureFaultsFor },
      schema: {
        tags,
        operationId: 'closeSchool',
        summary: 'Close the school on days',
        description: 'Bookings on these days are refused with `school_closed`. Booked lessons stay.',
        returns: 'The closure as stored.',
        headers: idempotencyKey,
        body: ref(NewClosureSchema),
        sends: ['Location', 'ETag'],
        response: responses({ 201: ref(ClosureSchema) }, 401, 403, 409, 422, ...BODY),
      },
    },
    async (request, reply) => {
      const make = (key?: IdempotencyKey) => closeSchool(service.db, request.actor, request.body, key)
      return sendMade(request, reply, await makeOnce(service, request, make))
    },
  )
}

function deleteRoute(app: App, { db }: Service): void {
  app.delete(
    '/closures/:id',
    {
      config: { permission: 'plan' },
      schema: {
        tags,
        operationId: 'deleteClosure',
        summary: 'Delete a closure',
        description: 'The days can be booked again. The change can be undone, like any other.',
        params,
        headers: ifMatch,
        response: responses({ 204: noContent('The closure is deleted') }, 401, 403, 404, 412, ...BODY),
      },
    },
    async (request, reply) => {
      await deleteClosure(db, request.actor, request.params.id, expectedVersion(request))
      reply.code(204)
      return null
    },
  )
}
