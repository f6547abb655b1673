import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import { MAX_FILE_BYTES, MAX_IMPORTED_LINES, MAX_IMPORTED_VEHICLES } from '../domain/ranges.ts'
import * as field from './fields.ts'

/** The maximum length in base64, which has four letters for three bytes. */
const MAX_LETTERS = 4 * Math.ceil(MAX_FILE_BYTES / 3)

const File = Type.String({
  pattern: '^[A-Za-z0-9+/]*={0,2}$',
  minLength: 1,
  maxLength: MAX_LETTERS,
  description: `The bytes of a CSV file in base64 (RFC 4648): 2 MiB and ${MAX_IMPORTED_LINES} lines at most, ${MAX_IMPORTED_VEHICLES} of vehicles. Encoding, delimiter (\`;\`, \`,\`, tab, \`|\`), headings and columns are recognised.`,
})

/** The encodings of text files that are read. */
export const ENCODINGS = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1250',
  'windows-1252',
  'windows-1254',
  'macintosh',
] as const
export type Encoding = (typeof ENCODINGS)[number]

export const DELIMITERS = [';', ',', '\t', '|'] as const
export type Delimiter = (typeof DELIMITERS)[number]

/** The kinds of doubts that a person resolves for a whole file. */
export const DOUBTS = ['lost_zero', 'one_name'] as const
export type DoubtCode = (typeof DOUBTS)[number]

/** The limit of columns, and of the name of one. */
const MAX_COLUMNS = 500
const MAX_COLUMN_LENGTH = 40

export const LineNumber = Type.Integer({
  minimum: 1,
  maximum: MAX_FILE_BYTES,
  description: 'The number of the line in the file; the headings are line 1.',
})

const file = 'Vm9ybmFtZTtOYWNobmFtZQpMZW5hO1ZvZ3QK'

const Encoding = Type.Enum([...ENCODINGS], { description: 'The encoding of the file.' })
const Doubt = Type.Enum([...DOUBTS])

/** The choices of a person where the file is recognised otherwise. */
const reading = {
  encoding: field.optional(field.described(Encoding, 'The encoding, if another one is recognised.')),
  heading_line: field.optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_FILE_BYTES,
      description:
        'The line with the headings, if another one is recognised; 0 if the file has none. Lines above it are not imported.',
    }),
  ),
  columns: field.optional(
    Type.Array(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: MAX_COLUMN_LENGTH }), {
      maxItems: MAX_COLUMNS,
      description:
        'The field for each column of the file, from left to right, one of `fields` of the preview; null for a column that is not imported. Several columns may be assigned to notes, address and pickup_place, which join them.',
    }),
  ),
  assume: field.optional(
    Type.Array(Doubt, {
      uniqueItems: true,
      maxItems: DOUBTS.length,
      description: 'The kinds of `doubts` of the preview whose proposals are imported.',
    }),
  ),
}

export const FileImportCheckSchema = field.closed(
  { file: File, ...reading },
  { $id: 'FileImportCheck', description: 'The file to check.', examples: [{ file }] },
)

export const NewFileImportSchema = field.closed(
  {
    file: File,
    ...reading,
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

/** The values of a column that are probably meant otherwise. */
export const ImportDoubtSchema = field.closed(
  {
    code: field.described(
      Doubt,
      '`lost_zero`: a spreadsheet has removed the 0 or + with which a number begins; without `assume` it is imported as it is. `one_name`: a person has one name only; without `assume` that is a fault.',
    ),
    column: Type.String({ description: 'The field of the column.' }),
    lines: Type.Integer({ description: 'The number of lines.' }),
    line: LineNumber,
    value: Type.String({ description: 'The value in that line.' }),
    proposal: Type.String({ description: 'The value to import instead.' }),
  },
  { $id: 'ImportDoubt', description: 'Values of a column that are probably meant otherwise.' },
)
export type ImportDoubt = Static<typeof ImportDoubtSchema>

const EXAMPLE = {
  encoding: 'utf-8',
  words: ['Jürgen'],
  delimiter: ';',
  heading_line: 1,
  fields: [],
  missing_fields: [],
  doubts: [],
  faulty_lines: 0,
  faults: [],
}

/** Returns the schema of a preview, with the properties and the example for its kind of file. */
export function previewSchema<Own extends TProperties>($id: string, own: Own, example: object) {
  return field.closed(
    {
      encoding: field.described(Encoding, 'The encoding in which the file was read.'),
      words: Type.Array(Type.String(), {
        description:
          'The first words with letters beyond ASCII: they look wrong if the encoding is another one.',
      }),
      delimiter: Type.Enum([...DELIMITERS], { description: 'The delimiter that was recognised.' }),
      heading_line: Type.Integer({ description: 'The line with the headings; 0 if the file has none.' }),
      fields: Type.Array(Type.String(), { description: 'The fields that a column may be assigned to.' }),
      missing_fields: Type.Array(Type.String(), {
        description:
          'The required fields without a column: the lines have not been read, and the file is not imported.',
      }),
      columns: Type.Array(
        field.closed({
          heading: Type.String({ description: 'The heading of the column in the file.' }),
          column: Type.Unsafe<string | null>({
            type: ['string', 'null'],
            description:
              'The field for the column; null if the heading is unknown or the column is not imported.',
          }),
          example: Type.String({ description: 'The first value of the column; empty if it has none.' }),
        }),
        { description: 'The columns of the file, from left to right.' },
      ),
      ...own,
      doubts: Type.Array(field.ref(ImportDoubtSchema), {
        description: 'The values that are probably meant otherwise, by kind and column.',
      }),
      faulty_lines: Type.Integer({ description: 'The number of lines with faults.' }),
      faults: Type.Array(field.ref(LineFaultSchema), {
        description:
          'The faults by line, at most the first 1000. A file with a fault is imported only with `skip_faulty_lines`.',
      }),
    },
    {
      $id,
      description: 'The expected result of importing the file.',
      examples: [{ ...EXAMPLE, ...example }],
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
