import type { RecordSummary } from '../../contract/record-summary.ts'
import type { GapCode, RecordGap } from '../../domain/training-record.ts'

/** The place where a gap is mended. */
export type Mend = 'lesson' | 'student' | 'instructor' | 'school'

const PLACES: { readonly [Code in GapCode]?: Mend } = {
  school_address_missing: 'school',
  responsible_missing: 'school',
  instructor_number_missing: 'instructor',
}

/** The gaps that one field of the student's card mends. */
const ON_CARD: ReadonlySet<string> = new Set([
  'address_missing',
  'birth_date_missing',
  'prior_classes_missing',
  'cooperation_incomplete',
])

export function placeOf({ code, appointment_id }: RecordGap): Mend {
  return PLACES[code] ?? (appointment_id === null ? 'student' : 'lesson')
}

export function defectsOf({ gaps }: Pick<RecordSummary, 'gaps'>): readonly RecordGap[] {
  return gaps.filter(({ severity }) => severity === 'defect')
}

/** Whether the school or the student has not signed the record as it is. */
export function isUnsigned({ gaps }: Pick<RecordSummary, 'gaps'>): boolean {
  return gaps.some(({ code }) => code === 'signature_missing' || code === 'signature_outdated')
}

/** Returns records in the order of the work that completes them, complete ones last: fewest defects, then most on the student's card. */
export function easiestFirst(records: readonly RecordSummary[]): readonly RecordSummary[] {
  const ranked = records.map((record) => {
    const defects = defectsOf(record)
    return { record, count: defects.length, onCard: defects.filter(({ code }) => ON_CARD.has(code)).length }
  })
  const rank = (count: number) => (count === 0 ? Number.MAX_SAFE_INTEGER : count)
  return ranked
    .toSorted((a, b) => rank(a.count) - rank(b.count) || b.onCard - a.onCard)
    .map(({ record }) => record)
}
