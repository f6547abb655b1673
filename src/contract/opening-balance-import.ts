import { type Static, Type } from 'typebox'
import * as example from './examples.ts'
import * as field from './fields.ts'
import { LineCount, LineNumber, previewSchema } from './file-import.ts'
import { openingEntry } from './opening-balance.ts'

const names = {
  first_name: Type.String({ description: 'The first name of the student.' }),
  last_name: Type.String({ description: 'The last name of the student.' }),
}

export const ImportedEntrySchema = field.closed(
  { student_id: field.described(field.Id, 'The student.'), ...names, ...openingEntry },
  { $id: 'ImportedEntry', description: "An entry of a student's opening balance in a file." },
)
export type ImportedEntry = Static<typeof ImportedEntrySchema>

/** A line whose entry probably exists already. */
export const DuplicateEntrySchema = field.closed(
  {
    line: LineNumber,
    ...names,
    likeness: Type.Enum(['same', 'other_units'], {
      description:
        'Whether the stored entry of the same lesson type, date and source has the same units or others.',
    }),
    units: field.described(Type.Integer(), 'The units of the stored entry.'),
  },
  {
    $id: 'DuplicateEntry',
    description: 'A line whose student has an entry of the same lesson type, date and source.',
  },
)
export type DuplicateEntry = Static<typeof DuplicateEntrySchema>

export const OpeningBalanceImportPreviewSchema = previewSchema(
  'OpeningBalanceImportPreview',
  {
    entries: LineCount,
    sample: Type.Array(field.ref(ImportedEntrySchema), {
      description: 'The first entries without a fault.',
    }),
    duplicates: Type.Array(field.ref(DuplicateEntrySchema), {
      description: 'The entries that the students probably have, by line, among the lines without a fault.',
    }),
  },
  {
    columns: [
      { heading: 'Nachname', column: 'last_name', example: 'Vogt' },
      { heading: 'Einheiten', column: 'units', example: '4' },
    ],
    entries: 1,
    sample: [
      {
        student_id: example.student.id,
        first_name: 'Lena',
        last_name: 'Vogt',
        lesson_type_id: example.lessonType.id,
        units: 6,
        date: '2026-03-31',
        source: 'Fahrschule Nord',
      },
    ],
    duplicates: [{ line: 2, first_name: 'Lena', last_name: 'Vogt', likeness: 'same', units: 6 }],
  },
)
export type OpeningBalanceImportPreview = Static<typeof OpeningBalanceImportPreviewSchema>
