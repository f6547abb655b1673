import { idIn, textIn } from '../ui/id-in.ts'

/** What the address of the page says; `instructor` is who is edited. */
type InstructorSearch = { readonly q?: string; readonly instructor?: string }

export function instructorSearchIn({ q, instructor }: Readonly<Record<string, unknown>>): InstructorSearch {
  return { q: textIn(q), instructor: idIn(instructor) }
}
