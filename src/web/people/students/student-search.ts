import { idIn, textIn } from '../../ui/id-in.ts'

/** The student whose card is open; `add` for the form of a new one, `deleted` for deleted students, `ready` for those who may take the exam. */
export type StudentSearch = {
  readonly q?: string
  readonly student?: string
  readonly add?: true
  readonly deleted?: true
  readonly ready?: true
}

export function studentSearchIn({
  q,
  student,
  add,
  deleted,
  ready,
}: Readonly<Record<string, unknown>>): StudentSearch {
  return {
    q: textIn(q),
    student: idIn(student),
    add: add === true || undefined,
    deleted: deleted === true || undefined,
    ready: ready === true || undefined,
  }
}
