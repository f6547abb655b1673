import { isUuid } from '../contract/formats.ts'
import { MIGRATIONS } from '../db/schema/migrate.ts'
import type { Scope } from './tables.ts'

/** The version of the format, which `docs/export-format.md` describes. */
const FORMAT = 1

/** The newest migration of the first release that wrote such files: there are none of an older schema. */
const FIRST_SCHEMA = '0012-links'

/** The number of lines of each table in a file. */
export type Counts = Readonly<Record<string, number>>

/** The first line of a file. */
export type Header = {
  readonly fahrplan: 'school' | 'installation'
  readonly format: number
  /** The newest migration of the database from which it comes. */
  readonly schema: string
  readonly made_at: string
  readonly school?: { readonly id: string; readonly name: string } | undefined
  readonly counts: Counts
}

/** The last line; the digest is that of all bytes before it. */
export type Closing = { readonly end: true; readonly counts: Counts; readonly sha256: string }

/** A fault of a file, and its line. */
export class FileFault extends Error {
  constructor(line: number, reason: string) {
    super(`Line ${line}: ${reason}`)
  }
}

/** The first line of a file that is made now. */
export function headerFor(made: Pick<Header, 'made_at' | 'school' | 'counts'>): Header {
  const fahrplan = made.school ? 'school' : 'installation'
  return { fahrplan, format: FORMAT, schema: MIGRATIONS.at(-1) ?? '', ...made }
}

/** Returns the scope of a file with this header. */
export function scopeOf({ school }: Header): Scope {
  return { tenantId: school?.id }
}

/** Whether a file is of an older schema, so that columns may be missing which have been added since. */
export function isOlder({ schema }: Header): boolean {
  return schema !== MIGRATIONS.at(-1)
}

/** The header of a file. Throws a `FileFault` for what is none, or one that is not understood here. */
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

/** The object in a line. Throws a `FileFault` where there is none. */
export function parsed(number: number, line: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>
  } catch {
    // Said below, like everything else that is no object.
  }
  throw new FileFault(number, 'this is not a JSON object.')
}

function isSchool(school: Header['school']): boolean {
  return isUuid(school?.id ?? '') && typeof school?.name === 'string'
}
