import type { RecordInstructor, RecordSignature, TrainingRecord } from './training-record.ts'

/** The lines of a pen, as points with a time. */
export type Strokes = readonly (readonly (readonly [x: number, y: number, ms: number])[])[]

/** A signature with its handwriting; null for a typed name. */
export type PrintedSignature = Pick<RecordSignature, 'as' | 'name' | 'at' | 'state'> & {
  readonly strokes: Strokes | null
}

export type PrintedRecord = Omit<TrainingRecord, 'instructors' | 'signatures'> & {
  /** With their numbers in the school, by which the sheets of their minutes name them. */
  readonly instructors: readonly (RecordInstructor & { readonly number: string | null })[]
  readonly signatures: readonly PrintedSignature[]
  /** The time of the newest change of the data shown: UTC, RFC 3339. */
  readonly changed_at: string
}
