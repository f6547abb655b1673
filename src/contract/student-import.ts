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
  description: 'Where it begins in the file, from 1, headings included.',
})

const names = { first_name: Type.String(), last_name: Type.String() }
const file = 'Vm9ybmFtZTtOYWNobmFtZQpMZW5hO1ZvZ3QK'

export const StudentImportCheckSchema = field.closed(
  { file: File },
  { $id: 'StudentImportCheck', examples: [{ file }] },
)

export const NewStudentImportSchema = field.closed(
  {
    file: File,
    import_lines: field.optional(
      Type.Array(Line, {
        maxItems: MOST_IMPORTED_STUDENTS,
        description: 'Lines to import although they are probably students who are there; others are skipped.',
      }),
    ),
    skip_faulty_lines: field.optional(
      Type.Boolean({
        description: 'Whether lines with faults are left out. Otherwise one such line refuses the file.',
      }),
    ),
  },
  { $id: 'NewStudentImport', examples: [{ file, import_lines: [3], skip_faulty_lines: true }] },
)
export type NewStudentImport = Static<typeof NewStudentImportSchema>

/** A fault of a line: the column if there is one, its text, and the API's message for the field. */
const LineFaultSchema = field.closed(
  {
    line: Line,
    column: field.nullable(Type.String()),
    value: Type.String({ description: 'What is there, its first 100 characters.' }),
    code: Type.String(),
    detail: Type.String(),
  },
  { $id: 'LineFault' },
)
export type LineFault = Static<typeof LineFaultSchema>

/** A line whose student is probably there, or in an earlier line. */
const DuplicateLineSchema = field.closed(
  {
    line: Line,
    ...names,
    likeness: Type.Enum(['phone', 'email', 'birth_date', 'name'], {
      description: 'What they have in common; `birth_date` with the name, `name` without another birthday.',
    }),
    same_as: field.closed({
      student_id: field.nullable(field.Id),
      line: field.nullable(Line),
      ...names,
    }),
  },
  { $id: 'DuplicateLine' },
)
export type DuplicateLine = Static<typeof DuplicateLineSchema>

/** The result that an import of the file would have. */
export const StudentImportPreviewSchema = field.closed(
  {
    encoding: Type.Enum(['utf-8', 'utf-16le', 'utf-16be', 'windows-1252']),
    delimiter: Type.Enum([';', ',', '\t']),
    columns: Type.Array(
      field.closed({
        heading: Type.String(),
        column: Type.Unsafe<string | null>({
          type: ['string', 'null'],
          description: 'What it was recognised as, mostly a field of a student; null is not imported.',
        }),
      }),
    ),
    students: Type.Integer({ description: 'Lines with something in them, headings not included.' }),
    sample: Type.Array(field.ref(NewStudentSchema), { description: 'The first ones without a fault.' }),
    faulty_lines: Type.Integer(),
    faults: Type.Array(field.ref(LineFaultSchema), {
      description:
        'By line: all, or the first 1000. A file with a fault is imported only with `skip_faulty_lines`.',
    }),
    duplicates: Type.Array(field.ref(DuplicateLineSchema), {
      description: 'By line; of lines without a fault.',
    }),
  },
  {
    $id: 'StudentImportPreview',
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

/** The result of an import. */
export const StudentImportSchema = field.closed(
  {
    imported: Type.Integer({ description: 'So many students are enrolled, together.' }),
    skipped_lines: Type.Array(Line, {
      description: 'Of students who are probably there, by line; nothing was imported from these.',
    }),
    faulty_lines: field.optional(
      Type.Array(Line, {
        description: 'With `skip_faulty_lines`: the lines with faults, which were left out.',
      }),
    ),
  },
  { $id: 'StudentImport', examples: [{ imported: 118, skipped_lines: [4, 61], faulty_lines: [7] }] },
)
export type StudentImport = Static<typeof StudentImportSchema>

export const studentImportParts = [
  StudentImportCheckSchema,
  NewStudentImportSchema,
  LineFaultSchema,
  DuplicateLineSchema,
  StudentImportPreviewSchema,
  StudentImportSchema,
]
