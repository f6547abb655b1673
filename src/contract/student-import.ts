import { type Static, Type } from 'typebox'
import { MOST_FILE_BYTES, MOST_IMPORTED_STUDENTS } from '../domain/ranges.ts'
import * as example from './examples.ts'
import * as field from './fields.ts'
import { NewStudentSchema } from './student.ts'

/** Three bytes are four letters. */
const MOST_LETTERS = 4 * Math.ceil(MOST_FILE_BYTES / 3)

const File = Type.String({
  pattern: '^[A-Za-z0-9+/]*={0,2}$',
  minLength: 1,
  maxLength: MOST_LETTERS,
  description: `The bytes of a CSV file in base64 (RFC 4648): 2 MiB and ${MOST_IMPORTED_STUDENTS} lines at most. Encoding (UTF-8, UTF-16, Windows-1252), delimiter (\`;\`, \`,\`, tab) and columns are recognised.`,
})

const Line = Type.Integer({
  minimum: 1,
  maximum: MOST_FILE_BYTES,
  description: 'The number of the line in the file; the headings are line 1.',
})

const names = {
  first_name: Type.String({ description: 'The first name.' }),
  last_name: Type.String({ description: 'The last name.' }),
}
const file = 'Vm9ybmFtZTtOYWNobmFtZQpMZW5hO1ZvZ3QK'

export const StudentImportCheckSchema = field.closed(
  { file: File },
  { $id: 'StudentImportCheck', description: 'The file to check.', examples: [{ file }] },
)

export const NewStudentImportSchema = field.closed(
  {
    file: File,
    import_lines: field.optional(
      Type.Array(Line, {
        maxItems: MOST_IMPORTED_STUDENTS,
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
    $id: 'NewStudentImport',
    description: 'The file to import, and what to do with doubtful lines.',
    examples: [{ file, import_lines: [3], skip_faulty_lines: true }],
  },
)
export type NewStudentImport = Static<typeof NewStudentImportSchema>

/** A fault of a line, with the column if there is one, its text, and the API's message. */
export const LineFaultSchema = field.closed(
  {
    line: Line,
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

/** A line whose student probably exists, or stands in an earlier line. */
export const DuplicateLineSchema = field.closed(
  {
    line: Line,
    ...names,
    likeness: Type.Enum(['phone', 'email', 'birth_date', 'name'], {
      description:
        'The matching field: `birth_date` together with the name, `name` if the birthdays do not differ.',
    }),
    same_as: field.closed(
      {
        student_id: field.described(
          field.nullable(field.Id),
          'The student of the school; null if it is another line.',
        ),
        line: field.nullable(Line),
        ...names,
      },
      { description: 'The probable duplicate.' },
    ),
  },
  {
    $id: 'DuplicateLine',
    description: 'A line whose student probably exists in the school or in an earlier line.',
  },
)
export type DuplicateLine = Static<typeof DuplicateLineSchema>

export const StudentImportPreviewSchema = field.closed(
  {
    encoding: Type.Enum(['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'], {
      description: 'The encoding that was recognised.',
    }),
    delimiter: Type.Enum([';', ',', '\t'], { description: 'The delimiter that was recognised.' }),
    columns: Type.Array(
      field.closed({
        heading: Type.String({ description: 'The heading of the column in the file.' }),
        column: Type.Unsafe<string | null>({
          type: ['string', 'null'],
          description: "The student's field for the column; null if it is not imported.",
        }),
      }),
      { description: 'The columns of the file, from left to right.' },
    ),
    students: Type.Integer({ description: 'The number of lines that are not empty, without the headings.' }),
    sample: Type.Array(field.ref(NewStudentSchema), { description: 'The first students without a fault.' }),
    faulty_lines: Type.Integer({ description: 'The number of lines with faults.' }),
    faults: Type.Array(field.ref(LineFaultSchema), {
      description:
        'The faults by line, at most the first 1000. A file with a fault is imported only with `skip_faulty_lines`.',
    }),
    duplicates: Type.Array(field.ref(DuplicateLineSchema), {
      description: 'The probable duplicates by line, among the lines without a fault.',
    }),
  },
  {
    $id: 'StudentImportPreview',
    description: 'The expected result of importing the file.',
    examples: [
      {
        encoding: 'windows-1252',
        delimiter: ';',
        columns: [
          { heading: 'Vorname', column: 'first_name' },
          { heading: 'Nachname', column: 'last_name' },
          { heading: 'Kundennummer', column: null },
        ],
        students: 1,
        sample: [{ first_name: 'Lena', last_name: 'Vogt' }],
        faulty_lines: 0,
        faults: [],
        duplicates: [
          {
            line: 2,
            first_name: 'Lena',
            last_name: 'Vogt',
            likeness: 'name',
            same_as: { student_id: example.student.id, line: null, first_name: 'Lena', last_name: 'Vogt' },
          },
        ],
      },
    ],
  },
)
export type StudentImportPreview = Static<typeof StudentImportPreviewSchema>

export const StudentImportSchema = field.closed(
  {
    imported: Type.Integer({ description: 'The number of students who were enrolled.' }),
    skipped_lines: Type.Array(Line, {
      description: 'The lines of probable duplicates, which were not imported.',
    }),
    faulty_lines: field.optional(
      Type.Array(Line, {
        description: 'The lines with faults, which were not imported; only with `skip_faulty_lines`.',
      }),
    ),
  },
  {
    $id: 'StudentImport',
    description: 'The result of an import.',
    examples: [{ imported: 118, skipped_lines: [4, 61], faulty_lines: [7] }],
  },
)
export type StudentImport = Static<typeof StudentImportSchema>
