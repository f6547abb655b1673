import { idIn, textIn } from '../ui/id-in.ts'

/** What the address of the list says: whose form is open, or that of one who is new. */
type InstructorSearch = { readonly q?: string; readonly instructor?: string; readonly add?: true }

/** What cannot be read is as if it were not there. */
export function instructorSearchIn({
  q,
  instructor,
  add,
}: Readonly<Record<string, unknown>>): InstructorSearch {
  return { q: textIn(q), instructor: idIn(instructor), add: add === true || undefined }
}
