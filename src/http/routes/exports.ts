import type { FastifyRequest } from 'fastify'
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
import { csvText, sendFile } from '../responses/file-reply.ts'
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
        sendFile(request, reply, {
          name: datedName(request, name),
          kind: 'csv',
          parts: partsOf(sourceFor(request, service)),
        }),
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
        return sendFile(request, reply, { name: datedName(request, name), kind: 'csv', parts })
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
      'Export the working time of each instructor in completed appointments that start in a range, as CSV',
    description:
      'Use it for wages and for the record of working time. Actual times take precedence over planned ones.',
    partsOf: workedTimeCsv,
  },
  {
    name: 'missed-appointments',
    operationId: 'exportMissedAppointments',
    summary: 'Export late cancellations and no-shows whose fees arose in a range as CSV, by day and student',
    description:
      'Use it to invoice fees. It has the appointments of `GET /appointments?missed=true`, with phone, party, reason and fee. A fee arises with the late cancellation, or when the missed lesson begins.',
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

/** Returns the name of a file, with the day on which it was made. */
function datedName({ actor }: FastifyRequest, name: string): string {
  return `${name}-${localToday(actor.now, actor.tenant.timezone)}`
}
