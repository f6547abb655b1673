import { Ajv, type ErrorObject, type FuncKeywordDefinition, type SchemaValidateFunction } from 'ajv'
import { cleanText } from './clean-text.ts'
import { formats } from './formats.ts'
import { MAX_FAULTS } from './problem.ts'
import { schemas } from './schemas.ts'

type Place = {
  readonly parentData: Record<string | number, unknown>
  readonly parentDataProperty: string | number
}

/** Rejects unknown fields. Stops once there are more than a response lists: a body can have tens of thousands. */
const rejectUnknownFields: SchemaValidateFunction = (allowed: unknown, body: object, schema) => {
  if (allowed !== false) return true
  const unknown: Partial<ErrorObject>[] = []
  for (const name in body) {
    if (unknown.length > MAX_FAULTS) break
    if (Object.hasOwn(schema?.properties ?? {}, name)) continue
    unknown.push({ keyword: 'additionalProperties', params: { additionalProperty: name } })
  }
  rejectUnknownFields.errors = unknown
  return unknown.length === 0
}

/** Rejects and empties a list that is too long, because validating its items would be too expensive. */
function emptiedIfTooLong(most: number, list: unknown[]): boolean {
  if (list.length <= most) return true
  // Empties it in place: a list that is the whole body has no parent.
  list.length = 0
  return false
}

type Clean = (text: string, isOneLine: boolean) => string

/** Returns a check that cleans texts in place. It rejects those that PostgreSQL or UTF-8 cannot represent. */
function cleaned(clean: Clean) {
  return (kind: unknown, text: string, _: unknown, place?: Place): boolean => {
    if (text.includes('\0') || !text.isWellFormed()) return false
    if (place) place.parentData[place.parentDataProperty] = clean(text, kind === 'line')
    return true
  }
}

function lowered(_: unknown, text: string, __: unknown, place?: Place): boolean {
  if (place) place.parentData[place.parentDataProperty] = text.toLowerCase()
  return true
}

function charactersOf(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}

/** New keywords, and replacements: two standard ones would list endless faults, two would count the characters of any text. */
const KEYWORDS = [
  {
    keyword: 'maxLength',
    type: 'string',
    before: 'pattern',
    error: { message: ({ schema }) => `must NOT have more than ${schema} characters` },
    // A text has at most as many characters as code units, and at least half as many: most need not be counted.
    validate: (most: number, text: string) =>
      text.length <= most || (text.length <= 2 * most && charactersOf(text) <= most),
  },
  {
    keyword: 'minLength',
    type: 'string',
    before: 'pattern',
    error: { message: ({ schema }) => `must NOT have fewer than ${schema} characters` },
    validate: (least: number, text: string) => text.length >= 2 * least || charactersOf(text) >= least,
  },
  { keyword: 'x-lower', type: 'string', modifying: true, before: 'maxLength', validate: lowered },
  {
    keyword: 'x-bytes',
    type: 'string',
    error: { message: ({ schema }) => `must have ${schema[0]} to ${schema[1]} bytes` },
    validate: ([least, most]: [number, number], text: string) => {
      const bytes = Buffer.byteLength(text)
      return least <= bytes && bytes <= most && text.isWellFormed()
    },
  },
  {
    keyword: 'maxItems',
    type: 'array',
    modifying: true,
    before: 'minItems',
    error: { message: ({ schema }) => `must NOT have more than ${schema} items` },
    validate: emptiedIfTooLong,
  },
  { keyword: 'additionalProperties', type: 'object', before: 'dependencies', validate: rejectUnknownFields },
] satisfies readonly (FuncKeywordDefinition & { readonly keyword: string })[]

/** Returns a validator that finds all faults and does not coerce, drop or default. Cleans and lower-cases texts in place. */
export function strictAjv(clean: Clean = cleanText): Ajv {
  const checks = Object.fromEntries(Object.entries(formats).map(([name, { is }]) => [name, is]))
  const ajv = new Ajv({
    allErrors: true,
    allowUnionTypes: true,
    coerceTypes: false,
    removeAdditional: false,
    useDefaults: false,
    formats: checks,
  })
  for (const keyword of KEYWORDS) {
    ajv.removeKeyword(keyword.keyword)
    ajv.addKeyword(keyword)
  }
  ajv.addKeyword({
    keyword: 'x-text',
    type: 'string',
    modifying: true,
    before: 'maxLength',
    error: { message: 'must be a text without NUL' },
    validate: cleaned(clean),
  })
  // The type of a query parameter in the OpenAPI document; it is validated as text.
  ajv.addKeyword('x-published')
  for (const schema of schemas) ajv.addSchema(schema)
  return ajv
}
