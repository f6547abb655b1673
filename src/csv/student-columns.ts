import { STUDENT_COLUMNS } from '../domain/student-fields.ts'
import { columnNames } from './column-names.ts'

export const STUDENT_FILE_COLUMNS = columnNames('students', STUDENT_COLUMNS)
