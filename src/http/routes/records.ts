import type { FastifyRequest } from 'fastify'
import { recordOf, recordsOf } from '../../booking/records/training-record.ts'
import { closed, ref } from '../../contract/fields.ts'
import { TrainingRecordSchema } from '../../contract/training-record.ts'
import type { ListedRecord } from '../../domain/training-record.ts'
import { operation } from '../operation.ts'
import { pathId } from '../requests/path-id.ts'
import { ofPeriod, type PeriodQuery, periodOf } from '../requests/record-period.ts'
import { csvText, sendFile } from '../responses/file-reply.ts'
import { sendWhole } from '../responses/list-reply.ts'
import { recordCsv, recordsCsv } from '../responses/records.ts'
import { readable, responses } from '../responses/responses.ts'
import type { App, Service } from '../service.ts'

const params = pathId('enrolment')

/** Routes for training records. */
export function recordRoutes(app: App, { db }: Service): void {
  app.get(
    '/enrolments/:id/record',
    operation('records', {
      permission: 'look',
      operationId: 'getRecord',
      summary: 'Read the training record of an enrolment, with its gaps',
      description:
        'Use it to show and print what the law asks for, and to find what is missing before an inspection does. Rows are attended theory and completed drives with the actual times if known; minutes are elapsed ones, also over a clock change. `totals` agree with the progress of the enrolment. Instructors can read it for the students whom they see, owners also for restricted ones.',
      returns: 'The record as it is now.',
      params,
      response: readable(ref(TrainingRecordSchema), 401, 404),
    }),
    async (request, reply) => {
      const listed = await recordFor(request, db)
      const { student_id: _, enrolment_id: __, ends_on: ___, template_code: ____, ...record } = listed
      return sendWhole(request, reply, JSON.stringify(record))
    },
  )

  app.get(
    '/enrolments/:id/record.csv',
    operation('records', {
      permission: 'look',
      operationId: 'exportRecord',
      summary: 'Export the training record of an enrolment as CSV, a line per row',
      description: 'Use it for a spreadsheet. Theory comes first, then practice, exams and credits.',
      params,
      response: responses({ 200: csvText }, 401, 404),
    }),
    async (request, reply) => {
      const parts = recordCsv(db, request.actor.tenant, await recordFor(request, db))
      return sendFile(request, reply, { name: 'record', kind: 'csv', parts })
    },
  )

  app.get(
    '/records.csv',
    operation('records', {
      permission: 'look',
      operationId: 'exportRecords',
      summary: 'Export the training records of a period as CSV, by name and begin',
      description:
        'Use it for an inspection. Every line has the student and the enrolment. Instructors get those of the students whom they see.',
      querystring: closed(ofPeriod),
      response: responses({ 200: csvText }, 401),
    }),
    async (request, reply) => {
      const parts = recordsCsv(db, request.actor.tenant, recordsIn(request, db))
      return sendFile(request, reply, { name: 'records', kind: 'csv', parts })
    },
  )
}

type OfEnrolment = Pick<FastifyRequest, 'actor' | 'turn'> & { readonly params: { readonly id: string } }

function recordFor({ actor, turn, params }: OfEnrolment, db: Service['db']): Promise<ListedRecord> {
  return recordOf(db, actor, params.id, (part) => turn.read(part))
}

type OfPeriod = Pick<FastifyRequest, 'actor' | 'turn'> & { readonly query: PeriodQuery }

function recordsIn({ actor, turn, query }: OfPeriod, db: Service['db']): AsyncGenerator<ListedRecord> {
  return recordsOf(db, actor, periodOf(query), (part) => turn.read(part))
}
