import { Type } from 'typebox'
import {
  confirmedRecord,
  printedRecord,
  printedRecords,
  recordSummaries,
} from '../../booking/records/printed-records.ts'
import { closed } from '../../contract/fields.ts'
import { RecordSummarySchema } from '../../contract/record-summary.ts'
import { CONFIRMED_PARTS } from '../../domain/confirmation.ts'
import { recordPdf, recordsPdf } from '../../pdf/render.ts'
import { operation } from '../operation.ts'
import { pathId } from '../requests/path-id.ts'
import { ofPeriod, periodOf } from '../requests/record-period.ts'
import { pdfBytes, sendFile, wholeOf } from '../responses/file-reply.ts'
import { sendComputed } from '../responses/list-reply.ts'
import { responses } from '../responses/responses.ts'
import { lists } from '../route-schemas.ts'
import type { App, Service } from '../service.ts'

const params = pathId('enrolment')

const part = Type.Enum([...CONFIRMED_PARTS], {
  description: 'The part: theory, practice, or the drives on a manual gearbox.',
})

/** Routes for training records on paper, and for the list of them. */
export function printedRecordRoutes(app: App, { db }: Service): void {
  app.get(
    '/records',
    operation('records', {
      permission: 'look',
      operationId: 'listRecords',
      summary: 'List the gaps and signatures of the training records of a period, by name',
      description:
        'Use it to find the records that are not complete yet. They are those of `GET /records.pdf`; instructors get those of the students whom they see.',
      returns: 'The records, or a page of them.',
      ...lists(RecordSummarySchema, ofPeriod),
    }),
    async (request, reply) => {
      const { actor, query, turn } = request
      const period = periodOf(query)
      return sendComputed(request, reply, (page) =>
        recordSummaries(db, actor, { period, ...page }, (read) => turn.read(read)),
      )
    },
  )

  app.get(
    '/records.pdf',
    operation('records', {
      permission: 'look',
      operationId: 'printRecords',
      summary: 'Print the training records of a period as one PDF, by name',
      description:
        'Use it for an inspection: each record begins on a new page and has its own page numbers. Instructors get those of the students whom they see. The same data makes the same bytes.',
      querystring: closed(ofPeriod),
      response: responses({ 200: pdfBytes }, 401),
    }),
    async (request, reply) => {
      const { actor, query, turn } = request
      const { names, records } = await printedRecords(db, actor, periodOf(query), (read) => turn.read(read))
      const { locale, timezone } = actor.tenant
      const parts = recordsPdf({ locale, timezone, names }, records)
      return sendFile(request, reply, { name: 'records', kind: 'pdf', parts })
    },
  )

  app.get(
    '/enrolments/:id/record.pdf',
    operation('records', {
      permission: 'look',
      operationId: 'printRecord',
      summary: "Print the training record of an enrolment as PDF, in the order of the country's form",
      description:
        "Use it as the record to sign and to keep: A4, in German or English by the school's language. Each page has the name, the class, the first digits of the digest and the state. The same data makes the same bytes.",
      params,
      response: responses({ 200: pdfBytes }, 401, 404),
    }),
    async (request, reply) => {
      const { actor, params, turn } = request
      const { names, record } = await printedRecord(db, actor, params.id, (read) => turn.read(read))
      const { locale, timezone } = actor.tenant
      const pdf = await recordPdf({ locale, timezone, names }, record)
      return sendFile(request, reply, { name: 'record', kind: 'pdf', parts: wholeOf(pdf) })
    },
  )

  app.get(
    '/enrolments/:id/confirmation.pdf',
    operation('records', {
      permission: 'look',
      operationId: 'printConfirmation',
      summary: 'Print the confirmation that a part of the training is complete as PDF',
      description:
        'Use it for the test centre. 409 `not_complete` with the gaps in `errors` while a defect concerns the part; a missing signature does not. 404 also if the class has no such part.',
      params,
      querystring: closed({ part }),
      response: responses({ 200: pdfBytes }, 401, 404, 409),
    }),
    async (request, reply) => {
      const { actor, params, query, turn } = request
      const asked = { id: params.id, part: query.part }
      const { names, record } = await confirmedRecord(db, actor, asked, (read) => turn.read(read))
      const { locale, timezone } = actor.tenant
      const pdf = await recordPdf({ locale, timezone, names, part: query.part }, record)
      return sendFile(request, reply, {
        name: `confirmation-${query.part}`,
        kind: 'pdf',
        parts: wholeOf(pdf),
      })
    },
  )
}
