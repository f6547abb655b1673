import { idIn, textIn } from '../../ui/id-in.ts'

/** The student whose card is open; `add` for the form of a new one, `deleted` for deleted students. */
export type StudentSearch = {
  readonly q?: string
  readonly student?: string
  readonly add?: true
  readonly deleted?: true
}

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
