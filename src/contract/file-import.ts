import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import { MAX_FILE_BYTES, MAX_IMPORTED_LINES, MAX_IMPORTED_VEHICLES } from '../domain/ranges.ts'
import * as field from './fields.ts'

/** The maximum length in base64, which has four letters for three bytes. */
const MAX_LETTERS = 4 * Math.ceil(MAX_FILE_BYTES / 3)

const File = Type.String({
  pattern: '^[A-Za-z0-9+/]*={0,2}$',
  minLength: 1,
  maxLength: MAX_LETTERS,
  description: `The bytes of a CSV file in base64 (RFC 4648): 2 MiB and ${MAX_IMPORTED_LINES} lines at most, ${MAX_IMPORTED_VEHICLES} of vehicles. Encoding (UTF-8, UTF-16, Windows-1252, in Poland Windows-1250), delimiter (\`;\`, \`,\`, tab) and columns are recognised.`,
})

export const LineNumber = Type.Integer({
  minimum: 1,
  maximum: MAX_FILE_BYTES,
  description: 'The number of the line in the file; the headings are line 1.',
})

const file = 'Vm9ybmFtZTtOYWNobmFtZQpMZW5hO1ZvZ3QK'

export const FileImportCheckSchema = field.closed(
  { file: File },
  { $id: 'FileImportCheck', description: 'The file to check.', examples: [{ file }] },
)

export const NewFileImportSchema = field.closed(
  {
    file: File,
    import_lines: field.optional(
      Type.Array(LineNumber, {
        maxItems: MAX_IMPORTED_LINES,
        description:
          'The lines to import although they are probable duplicates; other duplicates are skipped.',
      }),
    ),
    skip_faulty_lines: field.optional(
      Type.Boolean({
        description: 'Whether to skip lines with faults. Otherwise one such line rejects the file.',
      }),
    ),
  },
  {
    $id: 'NewFileImport',
    description: 'The file to import, and what to do with doubtful lines.',
    examples: [{ file, import_lines: [3], skip_faulty_lines: true }],
  },
)

/** A fault in a line, with its column if there is one, the value, and the API's message. */
export const LineFaultSchema = field.closed(
  {
    line: LineNumber,
    column: field.described(
      field.nullable(Type.String()),
      'The column of the fault; null for a fault of the whole line.',
    ),
    value: Type.String({ description: 'The first 100 characters of the value.' }),
    code: Type.String({ description: 'The code of the fault, as in `errors` of a problem.' }),
    detail: Type.String({ description: 'An explanation for people, in one sentence.' }),
  },
  { $id: 'LineFault', description: 'One fault of a line.' },
)
export type LineFault = Static<typeof LineFaultSchema>

/** Returns the schema of a preview, with the properties and the example for its kind of file. */
export function previewSchema<Own extends TProperties>($id: string, own: Own, example: object) {
  return field.closed(
    {
      encoding: Type.Enum(['utf-8', 'utf-16le', 'utf-16be', 'windows-1250', 'windows-1252'], {
        description: 'The encoding that was recognised.',
      }),
      delimiter: Type.Enum([';', ',', '\t'], { description: 'The delimiter that was recognised.' }),
      columns: Type.Array(
        field.closed({
          heading: Type.String({ description: 'The heading of the column in the file.' }),
          column: Type.Unsafe<string | null>({
            type: ['string', 'null'],
            description: 'The field for the column; null if it is not imported.',
          }),
        }),
        { description: 'The columns of the file, from left to right.' },
      ),
      ...own,
      faulty_lines: Type.Integer({ description: 'The number of lines with faults.' }),
      faults: Type.Array(field.ref(LineFaultSchema), {
        description:
          'The faults by line, at most the first 1000. A file with a fault is imported only with `skip_faulty_lines`.',
      }),
    },
    {
      $id,
      description: 'The expected result of importing the file.',
      examples: [{ encoding: 'utf-8', delimiter: ';', faulty_lines: 0, faults: [], ...example }],
    },
  )
}

/** Returns the properties of a line that is probably a duplicate of a stored row or an earlier line. */
export function duplicateProperties<
  Names extends TProperties,
  Likeness extends TSchema,
  Id extends TProperties,
>(names: Names, likeness: Likeness, id: Id) {
  const same = { ...id, line: field.nullable(LineNumber), ...names }
  const same_as = field.closed(same, { description: 'The probable duplicate.' })
  return { line: LineNumber, ...names, likeness, same_as }
}

export const LineCount = Type.Integer({
  description: 'The number of lines that are not empty, without the headings.',
})

export const FileImportSchema = field.closed(
  {
    imported: Type.Integer({ description: 'The number of lines that were imported.' }),
    skipped_lines: Type.Array(LineNumber, {
      description: 'The lines of probable duplicates, which were not imported.',
    }),
    faulty_lines: field.optional(
      Type.Array(LineNumber, {
        description: 'The lines with faults, which were not imported; only with `skip_faulty_lines`.',
      }),
    ),
  },
  {
    $id: 'FileImport',
    description: 'The result of an import.',
    examples: [{ imported: 118, skipped_lines: [4, 61], faulty_lines: [7] }],
  },
)
export type FileImport = Static<typeof FileImportSchema>
