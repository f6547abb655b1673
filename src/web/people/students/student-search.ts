import { idIn, textIn } from '../../ui/id-in.ts'

/**
 * The student whose card is open; `add` for the form of a new one, `deleted` for deleted students, `ready` for those who may
 * take the exam, `missed` for late cancellations and no-shows, `file` for the form of an import or export.
 */
export type StudentSearch = {
  readonly q?: string
  readonly student?: string
  readonly add?: true
  readonly deleted?: true
  readonly ready?: true
  readonly missed?: true
  readonly file?: 'import' | 'export'
}

export function studentSearchIn({
  q,
  student,
  add,
  deleted,
  ready,
  missed,
  file,
}: Readonly<Record<string, unknown>>): StudentSearch {
  return {
    q: textIn(q),
    student: idIn(student),
    add: add === true || undefined,
    deleted: deleted === true || undefined,
    ready: ready === true || undefined,
    missed: missed === true || undefined,
    file: file === 'import' || file === 'export' ? file : undefined,
  }
}
