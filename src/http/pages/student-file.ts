import { findDuplicateStudents, planStudents } from '../../booking/imports/import-students.ts'
import { strictAjv } from '../../contract/strict-ajv.ts'
import {
  type ImportedStudent,
  ImportedStudentSchema,
  type StudentImportPreview,
} from '../../contract/student-import.ts'
import { STUDENT_FILE_COLUMNS, type StudentFileColumn } from '../../csv/student-columns.ts'
import { studentLines } from '../../csv/student-lines.ts'
import { readNames } from '../../db/schema/names.ts'
import { MAX_IMPORTED_LINES } from '../../domain/ranges.ts'
import { NAMED_COLUMNS } from '../../domain/student-fields.ts'
import { localToday } from '../../domain/time-zone.ts'
import { onFirstUse } from '../on-first-use.ts'
import { importedFile } from './imported-files.ts'

export const studentFile = importedFile<ImportedStudent, StudentFileColumn, StudentImportPreview>({
  columns: STUDENT_FILE_COLUMNS,
  required: ['first_name', 'last_name'],
  mostLines: MAX_IMPORTED_LINES,
  validator: onFirstUse(() => strictAjv().compile(ImportedStudentSchema)),
  columnsByField: NAMED_COLUMNS,
  linesIn: async (table, reading, { db, actor: { tenant, now } }) => {
    const { id, country, timezone } = tenant
    const today = localToday(now, timezone)
    const catalogue = await readNames(db, id, today)
    return studentLines(table, { ...reading, catalogue, today, timezone, country })
  },
  plan: planStudents,
  preview: async ({ lines, count, sample, outline }, { db, actor, slicer }) => ({
    ...outline,
    students: count,
    sample,
    duplicates: await findDuplicateStudents(db, actor.tenant, lines, slicer),
  }),
})
