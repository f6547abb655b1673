import { idIn } from '../ui/id-in.ts'

/** What the address of the list says; `student` is whose card is open. */
type StudentSearch = { readonly q?: string; readonly student?: string }

export function studentSearchIn({ q, student }: Readonly<Record<string, unknown>>): StudentSearch {
  const isText = typeof q === 'string' || typeof q === 'number'
  return { q: isText ? String(q) : undefined, student: idIn(student) }
}
