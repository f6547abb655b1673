import type { ListedStudent, Student } from '../../../contract/student.ts'
import type { TickKind } from '../../../domain/ticks.ts'
import type { Lack } from './student-search.ts'

/** Ticks that everybody lacks until the end of the training. */
const AT_THE_END: ReadonlySet<TickKind> = new Set(['theory_test', 'practical_test', 'licence'])

type Listed = Pick<ListedStudent, 'enrolments' | 'ticks'> | undefined

/** Whether a student lacks records. Only those in training lack more than an address. */
export function isLacking(lack: Lack, { address }: Pick<Student, 'address'>, listed: Listed): boolean {
  if (lack === 'address') return address === null
  if (lack === 'prior_classes')
    return listed?.enrolments?.some(({ prior_classes }) => prior_classes === null) ?? false
  return kindsLacking(lack, listed).length > 0
}

/** Returns the papers that a student in training lacks, or those that have expired. */
export function kindsLacking(lack: Lack, listed: Listed): readonly TickKind[] {
  if (lack !== 'papers' && lack !== 'expired') return []
  if (!listed?.ticks || !listed.enrolments?.length) return []
  if (lack === 'expired') return listed.ticks.expired
  return listed.ticks.missing.filter((kind) => !AT_THE_END.has(kind))
}
