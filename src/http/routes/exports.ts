import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { closed, described } from '../../contract/fields.ts'
import { invalidRequest } from '../../contract/problem.ts'
import { localToday } from '../../domain/time-zone.ts'
import { operation } from '../operation.ts'
import { endOf, orderFault, RangeEnd, startOf } from '../requests/time-range.ts'
import {
  lessonsCsv,
  missedLessonsCsv,
  openingBalancesCsv,
  type Source,
  studentsCsv,
  vehiclesCsv,
  workedTimeCsv,
} from '../responses/csv-files.ts'
import { begun } from '../responses/list-reply.ts'
import { responses } from '../responses/responses.ts'
import type { App, Service } from '../service.ts'

export function exportRoutes(app: App, service: Service): void {
  for (const { name, partsOf, ...texts } of OF_NOW)
    app.get(
      `/exports/${name}.csv`,
      operation('exports', {
        permission: 'plan',
        ...texts,
        response: responses({ 200: csvText }, 401, 403),
      }),
      async (request, reply) =>
        sendCsv(request, reply, { name, parts: partsOf(sourceFor(request, service)) }),
    )
  for (const { name, partsOf, ...texts } of OF_A_PERIOD)
    app.get(
      `/exports/${name}.csv`,
      operation('exports', {
        permission: 'plan',
        ...texts,
        querystring: period,
        response: responses({ 200: csvText }, 401, 403),
      }),
      async (request, reply) => {
        const parts = partsOf(sourceFor(request, service), rangeOf(request.query))
        return sendCsv(request, reply, { name, parts })
      },
    )
}

const OF_NOW = [
  {
    name: 'students',
    operationId: 'exportStudents',
    summary: 'Export all students as CSV, by name; the file can be imported again',
    description: 'Use it for a spreadsheet or to move to another system. Deleted students are left out.',
    partsOf: studentsCsv,
  },
  {
    name: 'vehicles',
    operationId: 'exportVehicles',
    summary: 'Export all vehicles as CSV, by name',
    description: 'Use it for a spreadsheet. Absences and deleted vehicles are left out.',
    partsOf: vehiclesCsv,
  },
  {
    name: 'opening-balances',
    operationId: 'exportOpeningBalances',
    summary: 'Export the opening balances of all students as CSV, by name, a line per entry',
    description: 'Use it to check the units that students had elsewhere. Deleted students are left out.',
    partsOf: openingBalancesCsv,
  },
]

const period = closed({
  from: described(RangeEnd, 'Only appointments that start at or after this date or time.'),
  to: described(
    RangeEnd,
    'Only appointments that start before this time; a bare date includes that whole day.',
  ),
})
type PeriodQuery = { readonly from: string; readonly to: string }

const OF_A_PERIOD = [
  {
    name: 'appointments',
    operationId: 'exportAppointments',
    summary: 'Export the appointments that start in a range as CSV, by start, cancelled ones included',
    description:
      "Use it for a spreadsheet. Times are the school's wall clock; deleted appointments are left out.",
    partsOf: lessonsCsv,
  },
  {
    name: 'worked-time',
    operationId: 'exportWorkedTime',
    summary:
      'Export the worked time of each instructor in completed appointments that start in a range, as CSV',
    description:
      'Use it for wages and for the record of worked time. Actual times take precedence over planned ones.',
    partsOf: workedTimeCsv,
  },
  {
    name: 'missed-appointments',
    operationId: 'exportMissedAppointments',
    summary: 'Export late cancellations and no-shows that start in a range as CSV, by month and student',
    description:
      'Use it to invoice fees. It has the appointments of `GET /appointments?missed=true`, with party, reason and fee of each cancellation.',
    partsOf: missedLessonsCsv,
  },
]

function sourceFor({ actor, turn }: FastifyRequest, { db }: Service): Source {
  return { db, tenant: actor.tenant, read: (part) => turn.read(part) }
}

function rangeOf({ from, to }: PeriodQuery): PeriodQuery {
  const fault = orderFault(from, to)
  if (fault) throw invalidRequest([fault])
  return { from: startOf(from), to: endOf(to) }
}

type CsvFile = { readonly name: string; readonly parts: AsyncGenerator<string> }

/** Sends a file as a download. Its name contains no user input. */
async function sendCsv(
  request: FastifyRequest,
  reply: FastifyReply,
  { name, parts }: CsvFile,
): Promise<FastifyReply> {
  const { actor, server } = request
  await server.openResponses.enter(request, reply)
  const today = localToday(actor.now, actor.tenant.timezone)
  return reply
    .type('text/csv; charset=utf-8; header=present')
    .header('content-disposition', `attachment; filename="${name}-${today}.csv"`)
    .send(await begun(parts))
}

const csvText = Type.Unsafe<string>({
  description:
    'A CSV file in UTF-8 with a byte order mark, separated by `;` if the school writes decimals with a comma, else by `,`. Text that a spreadsheet would evaluate begins with an apostrophe.',
  content: { 'text/csv': { schema: { type: 'string' } } },
})
