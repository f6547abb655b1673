import { idIn, textIn } from '../../ui/id-in.ts'

/**
 * The student whose card is open; `add` for the form of a new one, `deleted` for deleted students, `ready` for those who may
 * take the exam, `missed` for late cancellations and no-shows.
 */
export type StudentSearch = {
  readonly q?: string
  readonly student?: string
  readonly add?: true
  readonly deleted?: true
  readonly ready?: true
  readonly missed?: true
}

export function studentSearchIn({
  q,
  student,
  add,
  deleted,
  ready,
  missed,
}: Readonly<Record<string, unknown>>): StudentSearch {
  return {
    q: textIn(q),
    student: idIn(student),
    add: add === true || undefined,
    deleted: deleted === true || undefined,
    ready: ready === true || undefined,
    missed: missed === true || undefined,
  }
}
