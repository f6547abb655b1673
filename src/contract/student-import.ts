import { type Static, Type } from 'typebox'
import * as example from './examples.ts'
import * as field from './fields.ts'
import { duplicateProperties, LineCount, previewSchema } from './file-import.ts'
import { NewStudentSchema } from './student.ts'

/** A student in a file, former or not. */
export const ImportedStudentSchema = field.closed(
  {
    ...NewStudentSchema.properties,
    archived: field.optional(Type.Boolean({ description: 'Whether the student is a former one.' })),
  },
  {
    $id: 'ImportedStudent',
    description: 'A student in a file.',
    examples: [{ ...example.newStudent, archived: true }],
  },
)
export type ImportedStudent = Static<typeof ImportedStudentSchema>

const names = {
  first_name: Type.String({ description: 'The first name.' }),
  last_name: Type.String({ description: 'The last name.' }),
}

/** A line whose student probably exists already, or is in an earlier line. */
export const DuplicateLineSchema = field.closed(
  duplicateProperties(
    names,
    Type.Enum(['phone', 'email', 'birth_date', 'name'], {
      description:
        'The matching field: `birth_date` together with the name, `name` if the birthdays do not differ.',
    }),
    {
      student_id: field.described(
        field.nullable(field.Id),
        'The student of the school; null if it is another line.',
      ),
    },
  ),
  {
    $id: 'DuplicateLine',
    description: 'A line whose student probably exists in the school or in an earlier line.',
  },
)
export type DuplicateLine = Static<typeof DuplicateLineSchema>

export const StudentImportPreviewSchema = previewSchema(
  'StudentImportPreview',
  {
    students: LineCount,
    sample: Type.Array(field.ref(ImportedStudentSchema), {
      description: 'The first students without a fault.',
    }),
    duplicates: Type.Array(field.ref(DuplicateLineSchema), {
      description: 'The probable duplicates by line, among the lines without a fault.',
    }),
  },
  {
    encoding: 'windows-1252',
    columns: [
      { heading: 'Vorname', column: 'first_name', example: 'Jürgen' },
      { heading: 'Nachname', column: 'last_name', example: 'Vogt' },
      { heading: 'Kundennummer', column: null, example: '1042' },
    ],
    students: 1,
    sample: [{ first_name: 'Lena', last_name: 'Vogt' }],
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
)
export type StudentImportPreview = Static<typeof StudentImportPreviewSchema>
