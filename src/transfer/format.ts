import { isUuid } from '../contract/formats.ts'
import { MIGRATIONS } from '../db/schema/migrate.ts'
import type { Scope } from './tables.ts'

/** The version of the file format in `docs/export-format.md`. */
const FORMAT = 1

/** The newest migration of the first release that wrote such files. */
const FIRST_SCHEMA = '0012-links'

export type RowCounts = Readonly<Record<string, number>>

export type Header = {
  readonly fahrplan: 'school' | 'installation'
  readonly format: number
  /** The newest migration of the source database. */
  readonly schema: string
  readonly made_at: string
  readonly school?: { readonly id: string; readonly name: string } | undefined
  readonly counts: RowCounts
}

/** The last line, with the digest of all bytes before it. */
export type Closing = { readonly end: true; readonly counts: RowCounts; readonly sha256: string }

export class FileFault extends Error {
  constructor(line: number, reason: string) {
    super(`Line ${line}: ${reason}`)
  }
}

export function headerFor(made: Pick<Header, 'made_at' | 'school' | 'counts'>): Header {
  const fahrplan = made.school ? 'school' : 'installation'
  return { fahrplan, format: FORMAT, schema: MIGRATIONS.at(-1) ?? '', ...made }
}

export function scopeOf({ school }: Header): Scope {
  return { tenantId: school?.id }
}

/** Whether the file may lack columns that later migrations added. */
export function isOlder({ schema }: Header): boolean {
  return schema !== MIGRATIONS.at(-1)
}

/** Parses a header. Throws a `FileFault` if the line is no header or an unsupported one. */
export function headerIn(line: string): Header {
  const header = parsed(1, line) as Partial<Header>
  const isHeader = header.fahrplan === 'school' ? isSchool(header.school) : header.fahrplan === 'installation'
  if (!isHeader) throw new FileFault(1, 'this is not a Fahrplan file.')
  if (header.format !== FORMAT)
    throw new FileFault(1, `the file has the format ${header.format}, and this Fahrplan reads ${FORMAT}.`)
  const { schema = '', counts } = header
  if (!MIGRATIONS.includes(schema) || schema < FIRST_SCHEMA)
    throw new FileFault(1, `a newer Fahrplan made the file, with the migration ${schema}: use that.`)
  if (typeof counts !== 'object') throw new FileFault(1, 'the counts are missing.')
  return header as Header
}

/** Parses a line. Throws a `FileFault` if it is no JSON object. */
export function parsed(number: number, line: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>
  } catch {
    // Throws below, as for any JSON other than an object.
  }
  throw new FileFault(number, 'this is not a JSON object.')
}

function isSchool(school: Header['school']): boolean {
  return isUuid(school?.id ?? '') && typeof school?.name === 'string'
}
