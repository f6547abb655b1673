import type { NewStudent, Student } from '../../contract/student.ts'

/** The fields of the dialog; an empty text is none. */
export type StudentForm = {
  readonly first_name: string
  readonly last_name: string
  readonly email: string
  readonly phone: string
  readonly phone_2: string
  readonly birth_date: string
  readonly license_class_template_id: string | null
  readonly preferred_instructor_id: string | null
  readonly notes: string
}

export function studentFormOf(student: Student): StudentForm {
  return {
    first_name: student.first_name,
    last_name: student.last_name,
    email: student.email ?? '',
    phone: student.phone ?? '',
    phone_2: student.phone_2 ?? '',
    birth_date: student.birth_date ?? '',
    license_class_template_id: student.license_class_template_id,
    preferred_instructor_id: student.preferred_instructor_id,
    notes: student.notes ?? '',
  }
}

/** Returns an empty form. The last word of the name is the last name. */
export function newStudentForm(name: string): StudentForm {
  const words = name.trim().split(/\s+/)
  return {
    first_name: words.slice(0, -1).join(' '),
    last_name: words.at(-1) ?? '',
    email: '',
    phone: '',
    phone_2: '',
    birth_date: '',
    license_class_template_id: null,
    preferred_instructor_id: null,
    notes: '',
  }
}

export function studentOf(form: StudentForm): NewStudent {
  return {
    ...form,
    email: form.email.trim() || null,
    phone: form.phone.trim() || null,
    phone_2: form.phone_2.trim() || null,
    birth_date: form.birth_date || null,
    notes: form.notes.trim() || null,
  }
}
