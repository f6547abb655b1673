import { idIn, textIn } from '../ui/id-in.ts'

/** What the address of the list says; `student` is whose card is open. */
type StudentSearch = { readonly q?: string; readonly student?: string }

export function studentSearchIn({ q, student }: Readonly<Record<string, unknown>>): StudentSearch {
  return { q: textIn(q), student: idIn(student) }
}
