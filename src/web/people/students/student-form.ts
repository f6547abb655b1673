import type { NewStudent, Student } from '../../../contract/student.ts'
import { blankOf } from '../../../domain/fields.ts'
import { STUDENT_FIELDS } from '../../../domain/student-fields.ts'
import { type FormValues, formValuesOf, wireValuesOf } from '../../ui/form-values.ts'

type Described = Pick<Student, keyof typeof STUDENT_FIELDS>
export type StudentForm = FormValues<Described>

export function studentFormOf(student: Described): StudentForm {
  return formValuesOf(STUDENT_FIELDS, student)
}

/** Returns an empty form; the last word of the name becomes the last name. */
export function newStudentForm(name: string): StudentForm {
  const words = name.trim().split(/\s+/)
  const [first_name, last_name] = [words.slice(0, -1).join(' '), words.at(-1) ?? '']
  return studentFormOf({ ...blankOf(STUDENT_FIELDS), messages_consent: false, first_name, last_name })
}

export function studentOf(form: StudentForm): NewStudent {
  return { ...form, ...wireValuesOf(STUDENT_FIELDS, form) }
}
