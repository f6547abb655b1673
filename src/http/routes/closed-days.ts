import { Type } from 'typebox'
import { closeSchool, deleteClosure } from '../../booking/school/closures.ts'
import { closureFaultsFor, HolidaySchema, NewClosureSchema } from '../../contract/closure.ts'
import { described, LocalDate } from '../../contract/fields.ts'
import { type Fault, invalidRequest } from '../../contract/problem.ts'
import { CLOSURES, listClosures } from '../../db/school/closures.ts'
import { holidaysOf } from '../../db/school/holidays.ts'
import { dayOf, localDateFor } from '../../domain/local-time.ts'
import { MAX_CLOSURES, MAX_DAYS_OF_HOLIDAYS } from '../../domain/ranges.ts'
import { localToday } from '../../domain/time-zone.ts'
import { operation } from '../operation.ts'
import { finding, resourceRoutes } from '../resource-routes.ts'
import { sendItems } from '../responses/list-reply.ts'
import { lists } from '../route-schemas.ts'
import type { App, Service } from '../service.ts'

/** Routes for closed days: computed public holidays, and the school's own closures. */
export function closedDayRoutes(app: App, service: Service): void {
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

  resourceRoutes(app, service, {
    path: '/closures',
    tag: 'closed days',
    noun: 'closure',
    reads: 'see_the_catalogue',
    writes: 'plan',
    rows: CLOSURES,
    list: {
      run: (db, { tenant }) => listClosures(db, tenant.id),
      operationId: 'listClosures',
      summary: 'List the closures of the school, by their first day',
      description: 'Use it to show the days on which nothing can be booked.',
    },
    add: {
      run: closeSchool,
      body: NewClosureSchema,
      faultsFor: closureFaultsFor,
      refuses: [403],
      operationId: 'closeSchool',
      summary: 'Close the school on days',
      description: `Bookings on these days are refused with \`school_closed\`. Booked lessons stay. A school has at most ${MAX_CLOSURES} closures.`,
    },
    get: {
      run: finding(CLOSURES),
      operationId: 'getClosure',
      summary: 'Read a closure',
      description: 'A deleted closure is 404; its history stays readable.',
    },
    remove: {
      run: deleteClosure,
      operationId: 'deleteClosure',
      summary: 'Delete a closure',
      description: 'The days can be booked again. The change can be undone, like any other.',
    },
  })
}

function rangeFault(first: number, last: number): Fault | undefined {
  if (first <= last && last - first <= MAX_DAYS_OF_HOLIDAYS) return undefined
  const detail = `to must be from ${localDateFor(first)} to ${localDateFor(first + MAX_DAYS_OF_HOLIDAYS)}.`
  return { pointer: '?to', code: 'out_of_range', detail }
}
