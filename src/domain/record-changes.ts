import type { SignedChange } from './signatures.ts'
import type { TrainingRecord } from './training-record.ts'

type Row = { readonly appointment_id: string; readonly instructor_no: number }
type Fields = Readonly<Record<string, unknown>>
type Rows = ReadonlyMap<string, Fields>

/** Returns the signed fields of a record that have changed since it was signed, those of lessons with the lesson. */
export function recordChangesSince(
  signed: TrainingRecord,
  record: Omit<TrainingRecord, 'signatures'>,
): readonly SignedChange[] {
  const single = (['license_class', 'prior_classes', 'credits', 'cooperation'] as const).filter((field) =>
    isOther(signed[field], record[field]),
  )
  return [
    ...(['theory', 'practice'] as const).flatMap((part) =>
      rowChanges(part, rowsOf(signed, part), rowsOf(record, part)),
    ),
    ...single.map((field) => ({ field, appointment_id: null })),
  ]
}

function rowsOf(record: Omit<TrainingRecord, 'signatures'>, part: 'theory' | 'practice'): Rows {
  const rows: readonly Row[] = record[part]
  return new Map(
    rows.map(({ instructor_no, ...row }) => {
      const { vehicle: _, ...signed }: Fields = row
      const instructor_id = record.instructors[instructor_no - 1]?.instructor_id
      return [row.appointment_id, { ...signed, instructor_id }]
    }),
  )
}

function rowChanges(part: string, before: Rows, after: Rows): readonly SignedChange[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((appointment_id) => {
    const [one, other] = [before.get(appointment_id), after.get(appointment_id)]
    if (!one || !other) return [{ field: part, appointment_id }]
    return Object.keys(other)
      .filter((field) => isOther(one[field], other[field]))
      .map((field) => ({ field, appointment_id }))
  })
}

function isOther(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) !== JSON.stringify(other)
}
