import { idIn, textIn } from '../ui/id-in.ts'

/** The parameters of the list's address: the instructor whose form is open, or the form of a new one. */
type InstructorSearch = { readonly q?: string; readonly instructor?: string; readonly add?: true }

/** Reads the address and ignores invalid parts. */
export function instructorSearchIn({
  q,
  instructor,
  add,
}: Readonly<Record<string, unknown>>): InstructorSearch {
  return { q: textIn(q), instructor: idIn(instructor), add: add === true || undefined }
}
