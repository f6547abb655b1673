import { idIn, textIn } from '../../ui/id-in.ts'

/** The records that the list is filtered by. */
export const LACKS = ['address', 'prior_classes', 'papers', 'expired'] as const
export type Lack = (typeof LACKS)[number]

/**
 * The student whose card is open; `add` for the form of a new one, `deleted` for deleted students, `former` for former ones, `ready` for those who may
 * take the exam, `lacks` for those who lack records, `missed` for late cancellations and no-shows, `file` for the form of an import or export.
 */
export type StudentSearch = {
  readonly q?: string
  readonly student?: string
  readonly add?: true
  readonly deleted?: true
  readonly former?: true
  readonly ready?: true
  readonly lacks?: Lack
  readonly missed?: true
  readonly file?: 'import' | 'export'
}

export function studentSearchIn({
  q,
  student,
  add,
  deleted,
  former,
  ready,
  lacks,
  missed,
  file,
}: Readonly<Record<string, unknown>>): StudentSearch {
  return {
    q: textIn(q),
    student: idIn(student),
    add: add === true || undefined,
    deleted: deleted === true || undefined,
    former: former === true || undefined,
    ready: ready === true || undefined,
    lacks: LACKS.find((one) => one === lacks),
    missed: missed === true || undefined,
    file: file === 'import' || file === 'export' ? file : undefined,
  }
}
