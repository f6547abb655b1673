import { idIn, textIn } from '../ui/id-in.ts'

/** What the address of the list says; `student` is whose card is open, `add` that one who is new is filled in. */
export type StudentSearch = { readonly q?: string; readonly student?: string; readonly add?: true }

/** What cannot be read is as if it were not there. */
export function studentSearchIn({ q, student, add }: Readonly<Record<string, unknown>>): StudentSearch {
  return { q: textIn(q), student: idIn(student), add: add === true || undefined }
}
