import type { Student } from '../../contract/student.ts'
import { idIn } from '../ui/id-in.ts'
import { nameOf } from '../ui/school.tsx'

/** What the address of the list says; `student` is whose card is open, `add` that one who is new is filled in. */
export type StudentSearch = { readonly q?: string; readonly student?: string; readonly add?: true }

export function studentSearchIn({ q, student, add }: Readonly<Record<string, unknown>>): StudentSearch {
  const isText = typeof q === 'string' || typeof q === 'number'
  return { q: isText ? String(q) : undefined, student: idIn(student), add: add === true || undefined }
}

/** Whether every word is part of the name, the e-mail address or the phone number, with or without its gaps. */
export function isFound(student: Student, q: string): boolean {
  const { email, phone } = student
  const text = [nameOf(student), email, phone, phone?.replace(/\D/g, '')].join(' ').toLocaleLowerCase()
  return q
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
