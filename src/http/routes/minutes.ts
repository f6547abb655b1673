import type { FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { minutesOfMonth, minutesRows } from '../../booking/school/minutes.ts'
import { closed, described, Id, LocalDate, optional } from '../../contract/fields.ts'
import { InstructorMinutesSchema, MinutesRowSchema, Month } from '../../contract/minutes.ts'
import type { MonthOfMinutes } from '../../domain/minutes.ts'
import { minutesPdf } from '../../pdf/render.ts'
import { operation } from '../operation.ts'
import { csvText, pdfBytes, sendFile, wholeOf } from '../responses/file-reply.ts'
import { sendItems } from '../responses/list-reply.ts'
import { minutesCsv, minutesDocumentOf, withRows } from '../responses/minutes.ts'
import { responses } from '../responses/responses.ts'
import { lists } from '../route-schemas.ts'
import type { App, Service } from '../service.ts'

const ofMonth = {
  month: Month,
  instructor_id: optional(
    Type.Array(Id, {
      description: 'The instructors; may be repeated. By default all who worked in the month.',
    }),
  ),
}
const query = closed(ofMonth)
const ofDay = {
  instructor_id: described(Id, 'The instructor.'),
  date: described(LocalDate, 'The day on which the appointments start.'),
}

/** Routes for the minutes of instructors. */
export function minutesRoutes(app: App, { db }: Service): void {
  app.get(
    '/minutes',
    operation('minutes', {
      permission: 'look',
      operationId: 'listMinutes',
      summary: 'List the minutes of instructors in a month, planned beside worked, by name',
      description:
        'Use it as the record of working time. Times are elapsed ones, also over a clock change; an appointment belongs to the day on which it starts. An instructor gets only their own; a month ahead is empty.',
      returns: 'The minutes of each instructor, or a page of them.',
      ...lists(InstructorMinutesSchema, ofMonth, 404),
    }),
    async (request, reply) => {
      const months: MonthOfMinutes[] = []
      for await (const month of await monthsFor(request, db)) months.push(month)
      return sendItems(request, reply, months.map(withRows))
    },
  )

  app.get(
    '/minutes.csv',
    operation('minutes', {
      permission: 'look',
      operationId: 'exportMinutes',
      summary: 'Export the minutes of instructors in a month as CSV, a line per instructor and day',
      description:
        'Use it for a spreadsheet. It has the days of `GET /minutes`, and names the users behind overrides.',
      querystring: query,
      response: responses({ 200: csvText }, 401, 404),
    }),
    async (request, reply) =>
      sendFile(request, reply, {
        name: `minutes-${request.query.month}`,
        kind: 'csv',
        parts: minutesCsv(request.actor.tenant, await monthsFor(request, db)),
      }),
  )

  app.get(
    '/minutes.pdf',
    operation('minutes', {
      permission: 'look',
      operationId: 'printMinutes',
      summary: 'Print the minutes of instructors in a month as PDF, a row for every day',
      description:
        "Use it for an inspection: A4, an instructor after the other, in German or English by the school's language. The same data makes the same bytes.",
      querystring: query,
      response: responses({ 200: pdfBytes }, 401, 404),
    }),
    async (request, reply) => {
      const { month } = request.query
      const pdf = await minutesPdf(
        minutesDocumentOf(request.actor.tenant, month),
        await monthsFor(request, db),
      )
      return sendFile(request, reply, { name: `minutes-${month}`, kind: 'pdf', parts: wholeOf(pdf) })
    },
  )

  app.get(
    '/minutes/rows',
    operation('minutes', {
      permission: 'look',
      operationId: 'listMinutesRows',
      summary: 'List the appointments behind the minutes of a day, by start',
      description: 'Use it to check a day. An instructor gets only their own.',
      returns: 'The appointments, or a page of them.',
      ...lists(MinutesRowSchema, ofDay, 404),
    }),
    async (request, reply) => sendItems(request, reply, await minutesRows(db, request.actor, request.query)),
  )
}

type MonthRequest = Pick<FastifyRequest, 'actor' | 'turn'> & { readonly query: Static<typeof query> }

async function monthsFor(
  { actor, turn, query }: MonthRequest,
  db: Service['db'],
): Promise<AsyncGenerator<MonthOfMinutes>> {
  const { month, instructor_id: instructor_ids } = query
  return minutesOfMonth(db, actor, { month, instructor_ids }, (part) => turn.read(part))
}
