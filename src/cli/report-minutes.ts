import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { commandActor } from '../booking/command-actor.ts'
import { minutesOfMonth } from '../booking/school/minutes.ts'
import { isUuid } from '../contract/formats.ts'
import type { Tenant } from '../contract/tenant.ts'
import type { MonthOfMinutes } from '../domain/minutes.ts'
import { minutesCsv, minutesDocumentOf, withRows } from '../http/responses/minutes.ts'
import { minutesPdf } from '../pdf/render.ts'
import { type DataCommand, requiredOption, UsageError, type Values } from './command.ts'
import { requireTenantOption, tenantIdOf } from './tenant-option.ts'

const FORMATS = ['json', 'csv', 'pdf'] as const
type Format = (typeof FORMATS)[number]
const MONTH = /^20\d\d-(0[1-9]|1[0-2])$/

export const reportMinutes: DataCommand = {
  kind: 'data',
  name: 'report minutes',
  summary: 'Print the minutes of instructors in a month, day by day.',
  options: {
    tenant: { type: 'string', value: 'ID', help: "The school's id", required: true },
    month: { type: 'string', value: 'YYYY-MM', help: 'The month', required: true },
    instructor: { type: 'string', value: 'ID', help: 'Only this instructor [all who worked]' },
    format: { type: 'string', value: 'FORMAT', help: 'json, csv, or pdf, which needs --out [json]' },
    out: { type: 'string', value: 'FILE', help: 'Write to FILE instead' },
  },
  file: { option: 'out', mode: 'written' },
  check: (values) => {
    tenantIdOf(values)
    queryOf(values)
    if (formatOf(values) === 'pdf') requiredOption(values, 'out')
  },
  run: async ({ db, values, terminal, file }) => {
    const tenant = await requireTenantOption(db, values)
    const actor = commandActor('report minutes', tenant, new Date())
    const months = await minutesOfMonth(db, actor, queryOf(values), (part) => part())
    const parts = partsOf(formatOf(values), { tenant, month: queryOf(values).month, months })
    if (file !== undefined) return pipeline(Readable.from(parts), createWriteStream(file, { mode: 0o600 }))
    for await (const lines of parts) terminal.out(String(lines).replace(/\r?\n$/, ''))
  },
}

type Report = {
  readonly tenant: Tenant
  readonly month: string
  readonly months: AsyncIterable<MonthOfMinutes>
}

async function* partsOf(format: Format, { tenant, month, months }: Report): AsyncGenerator<string | Buffer> {
  if (format === 'csv') yield* minutesCsv(tenant, months)
  else if (format === 'pdf') yield await minutesPdf(minutesDocumentOf(tenant, month), months)
  else yield* minutesJson(months)
}

async function* minutesJson(months: AsyncIterable<MonthOfMinutes>): AsyncGenerator<string> {
  const all: MonthOfMinutes[] = []
  for await (const one of months) all.push(one)
  yield `${JSON.stringify(all.map(withRows))}\n`
}

function queryOf(values: Values) {
  const month = requiredOption(values, 'month')
  if (!MONTH.test(month)) throw new UsageError('--month must be a month, such as 2026-05')
  if (values.instructor === undefined) return { month }
  const id = requiredOption(values, 'instructor').toLowerCase()
  if (!isUuid(id)) throw new UsageError('--instructor must be the id of an instructor')
  return { month, instructor_ids: [id] }
}

function formatOf({ format = 'json' }: Values): Format {
  const known = FORMATS.find((one) => one === format)
  if (!known) throw new UsageError(`--format must be ${FORMATS.join(', ')}`)
  return known
}
