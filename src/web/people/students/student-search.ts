import { idIn, textIn } from '../../ui/id-in.ts'

/**
 * The parameters of the list's address: the student whose card is open, `add` for the form of a new one, `deleted` for the deleted
 * ones.
 */
export type StudentSearch = {
  readonly q?: string
  readonly student?: string
  readonly add?: true
  readonly deleted?: true
}

/** Reads the address and ignores invalid parts. */
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
