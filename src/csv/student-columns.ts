import { STUDENT_COLUMNS } from '../domain/student-fields.ts'
import { columnNames } from './column-names.ts'

/** The columns for second values: another phone number, such as a mobile one, is stored as `phone_2`. */
export const SECOND_COLUMNS = { phone: 'phone_2' } as const

export const STUDENT_FILE_COLUMNS = columnNames('students', STUDENT_COLUMNS, SECOND_COLUMNS)
