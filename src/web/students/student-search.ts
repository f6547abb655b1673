import { idIn, textIn } from '../ui/id-in.ts'

/** What the address of the list says; `student` is whose card is open, `add` that one who is new is filled in, `deleted` that the deleted ones are listed. */
export type StudentSearch = {
  readonly q?: string
  readonly student?: string
  readonly add?: true
  readonly deleted?: true
}

/** What cannot be read is as if it were not there. */
export function studentSearchIn({
  q,
  student,
  add,
  deleted,
}: Readonly<Record<string, unknown>>): StudentSearch {
  return {
    q: textIn(q),
    student: idIn(student),
    add: add === true || undefined,
    deleted: deleted === true || undefined,
  }
}
