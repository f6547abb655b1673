import type { Darkness } from './daylight.ts'
import type { LocalDate, LocalDateTime } from './local-time.ts'
import type { TrainingFacts } from './record-content.ts'
import type { GapSeverity, RecordSettings, RecordSigner, TrainingRecord } from './training-record.ts'

/** The rules of the country and the school by which a record is judged. */
export type RecordRules = {
  readonly form: string | null
  readonly now: LocalDateTime
  readonly content: RecordSettings['content']
  readonly signers: readonly RecordSigner[]
  readonly darkness: Darkness | undefined
  /** The codes of the lesson types for which the country has a plan of topics. */
  readonly topic_types: readonly string[]
  readonly theory_unit_minutes: number
  readonly theory_day_units: number | null
  readonly training_years: number | null
  /** The units of practice before the first special drive, and whether the law demands them. */
  readonly special: { readonly after_units: number; readonly must: boolean } | null
}

/** A lesson of another student that overlaps one of the record's, with the same instructor. */
export type Overlap = { readonly id: string; readonly with: string }

export type JudgedRecord = Pick<
  TrainingRecord,
  | 'state'
  | 'school'
  | 'student'
  | 'prior_classes'
  | 'cooperation'
  | 'instructors'
  | 'theory'
  | 'practice'
  | 'exams'
  | 'totals'
  | 'signatures'
>

export type GapFacts = {
  readonly record: JudgedRecord
  readonly facts: TrainingFacts
  readonly ends: PartEnds
  readonly overlaps: readonly Overlap[]
  readonly rules: RecordRules
}

export type FoundGap = {
  readonly params?: Readonly<Record<string, unknown>>
  readonly appointment_id?: string
  readonly severity?: GapSeverity
}

/** The days on which a training and its parts ended; null for those that have not. */
export type PartEnds = {
  readonly ends_on: LocalDate | null
  readonly theory_ended_on: LocalDate | null
  readonly practice_ended_on: LocalDate | null
}
