import { idIn } from '../ui/id-in.ts'

/** What the address of the list says: whose form is open, or that of one who is new. */
type InstructorSearch = { readonly instructor?: string; readonly add?: true }

export function instructorSearchIn({ instructor, add }: Readonly<Record<string, unknown>>): InstructorSearch {
  return { instructor: idIn(instructor), add: add === true || undefined }
}
