import type { FastifyRequest } from 'fastify'
import { type TObject, type TSchema, Type } from 'typebox'
import { numbersOf, type Reading } from '../../booking/school/numbers.ts'
import {
  NUMBERS_ROWS,
  type NumberName,
  type NumbersRows,
  type RowsQuery,
} from '../../booking/school/numbers-rows.ts'
import { closed, described, LocalDate, optionals, ref } from '../../contract/fields.ts'
import * as numbers from '../../contract/numbers.ts'
import { invalidRequest } from '../../contract/problem.ts'
import type { DatabasePool } from '../../db/connection/pool.ts'
import { dayOf } from '../../domain/local-time.ts'
import type { DayRange } from '../../domain/numbers.ts'
import { operation } from '../operation.ts'
import { orderFault } from '../requests/time-range.ts'
import { pagesOf } from '../responses/csv-files.ts'
import { csvText, sendFile } from '../responses/file-reply.ts'
import { type PageQuery, sendItems, sendList, sendWhole } from '../responses/list-reply.ts'
import { numbersCsv, withAddresses } from '../responses/numbers.ts'
import { readable, responses } from '../responses/responses.ts'
import { lists } from '../route-schemas.ts'
import type { App, Service } from '../service.ts'

const MAX_DAYS = 366

const period = {
  from: described(LocalDate, 'The first day.'),
  to: described(LocalDate, 'The last day, at most 366 days in all.'),
}
const { instructor_id, week, lesson_type_id, kind, license_class, test, attempt } = optionals(
  numbers.numbersFilters,
)
const weeks = Type.Optional(
  Type.String({
    pattern: '^([1-9]|1[0-2])$',
    'x-published': { type: 'integer', minimum: 1, maximum: 12, default: 3 },
    description: 'The weeks without a lesson, 1–12.',
  }),
)

type Rows = {
  readonly schema: TObject
  readonly filters: Readonly<Record<string, TSchema>>
  readonly summary: string
}

/** The rows behind each number: their schema and filters. */
const ROWS = {
  use: {
    schema: numbers.NumbersLessonSchema,
    filters: { ...period, instructor_id, week },
    summary: 'the completed appointments behind the use of working hours, by planned start',
  },
  free: {
    schema: numbers.NumbersFreeDaySchema,
    filters: { ...optionals(period), instructor_id, week },
    summary: 'the days of the next four weeks with free working hours, by day',
  },
  by_type: {
    schema: numbers.NumbersLessonSchema,
    filters: { ...period, lesson_type_id },
    summary: 'the completed appointments behind the numbers by type, by planned start',
  },
  missed: {
    schema: numbers.NumbersMissedSchema,
    filters: { ...period, kind },
    summary: 'the appointments that did not take place, by planned start',
  },
  to_test: {
    schema: numbers.NumbersPassSchema,
    filters: { ...period, license_class, test },
    summary: 'the first passed tests with the days since the enrolment, by day',
  },
  passed: {
    schema: numbers.NumbersTestSchema,
    filters: { ...period, license_class, test, attempt },
    summary: 'the results of tests, by day',
  },
  no_lesson: {
    schema: numbers.NumbersIdleStudentSchema,
    filters: { ...optionals(period), weeks },
    summary: 'the students without a lesson for weeks, the longest without one first',
  },
  special_owed: {
    schema: numbers.NumbersOwedStudentSchema,
    filters: optionals(period),
    summary: 'the students who owe special drives before the practical test, by the day of the test',
  },
  ready: {
    schema: numbers.NumbersReadyStudentSchema,
    filters: optionals(period),
    summary: 'the students who are ready for the practical test, the longest waiting first',
  },
} as const satisfies Readonly<Record<NumberName, Rows>>

type ColumnIn<Schema> = Schema extends TObject<infer Properties> ? keyof Properties : never

type RowsColumn = ColumnIn<(typeof ROWS)[NumberName]['schema']>

/** Routes for the numbers of a school. */
export function numbersRoutes(app: App, { db }: Service): void {
  app.get(
    '/numbers',
    operation('numbers', {
      permission: 'run_the_school',
      operationId: 'getNumbers',
      summary: "Get the school's numbers of a period, each with the address of its rows",
      description:
        "Use it to see how the school is doing. Days are the school's; an appointment belongs to the day of its actual start if known, a test to the day on which it starts. A number always equals the sum of its rows.",
      returns: 'The numbers.',
      querystring: closed(period),
      response: readable(ref(numbers.NumbersSchema), 401, 403),
    }),
    async (request, reply) => {
      const range = rangeOf(request.query)
      const found = await numbersOf(readingOf(request, db), request.actor, range)
      return sendWhole(request, reply, JSON.stringify(withAddresses(found, range)))
    },
  )
  for (const [name, rows] of Object.entries(ROWS)) rowsRoutes(app, db, { name: name as NumberName, ...rows })
}

function rowsRoutes(
  app: App,
  db: DatabasePool,
  { name, schema, filters, summary }: Rows & { readonly name: NumberName },
): void {
  const id = name.replace(/(^|_)./g, (start) => start.slice(-1).toUpperCase())
  const description = 'Use it to see what is behind a number: `rows` of `GET /numbers` leads here.'
  app.get(
    `/numbers/${name}`,
    operation('numbers', {
      permission: 'run_the_school',
      operationId: `list${id}Rows`,
      summary: `List ${summary}`,
      description,
      returns: 'The rows, or a page of them.',
      ...lists(schema, filters, 403),
    }),
    async (request, reply) => {
      const found = await readRows(request, db, name)
      const asked = request as FastifyRequest<{ Querystring: PageQuery }>
      return isList(found) ? sendItems(asked, reply, found) : sendList(asked, reply, found)
    },
  )
  app.get(
    `/numbers/${name}.csv`,
    operation('numbers', {
      permission: 'run_the_school',
      operationId: `export${id}Rows`,
      summary: `Export ${summary}, as CSV`,
      description: `Use it for a spreadsheet. It has the rows of \`GET /numbers/${name}\`.`,
      querystring: closed(filters),
      response: responses({ 200: csvText }, 401, 403),
    }),
    async (request, reply) => {
      const pages = pagesIn(request, await readRows(request, db, name))
      const columns = Object.keys(schema.properties) as readonly RowsColumn[]
      const parts = numbersCsv(request.actor.tenant, columns, pages)
      return sendFile(request, reply, { name: `numbers-${name}`, kind: 'csv', parts })
    },
  )
}

type Asking = Pick<FastifyRequest, 'actor' | 'turn' | 'slicer'> & { readonly query: unknown }

function readingOf({ slicer }: Pick<Asking, 'slicer'>, db: DatabasePool): Reading {
  return { db, slicer }
}

async function readRows(request: Asking, db: DatabasePool, name: NumberName): Promise<NumbersRows> {
  const { weeks: asked, ...query } = request.query as Omit<RowsQuery, 'weeks'> & { readonly weeks?: string }
  if (query.from !== undefined && query.to !== undefined) rangeOf(query)
  const wanted = { ...query, ...(asked !== undefined && { weeks: Number(asked) }) }
  return NUMBERS_ROWS[name](readingOf(request, db), request.actor, wanted)
}

async function* pagesIn(
  { turn }: Asking,
  rows: NumbersRows,
): AsyncGenerator<readonly Readonly<Record<string, unknown>>[]> {
  if (isList(rows)) yield rows as readonly Readonly<Record<string, unknown>>[]
  else yield* pagesOf<Readonly<Record<string, unknown>>>(rows, (part) => turn.read(part))
}

function isList(rows: NumbersRows): rows is readonly object[] {
  return Array.isArray(rows)
}

function rangeOf({ from, to }: DayRange): DayRange {
  const fault = orderFault(from, to)
  if (fault) throw invalidRequest([fault])
  if (dayOf(to) - dayOf(from) >= MAX_DAYS) {
    const detail = `from and to must include at most ${MAX_DAYS} days.`
    throw invalidRequest([{ pointer: '?to', code: 'too_long', detail }])
  }
  return { from, to }
}
