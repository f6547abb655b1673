import type { LocalDate, TimeOfDay } from './local-time.ts'
import type { Gearbox } from './requirements.ts'

/** The signers that a form asks for: the owner or responsible manager, and the student. */
export const RECORD_SIGNERS = ['school', 'student'] as const
export type RecordSigner = (typeof RECORD_SIGNERS)[number]

export const RECORD_STATES = ['running', 'ended', 'partial'] as const
export type RecordState = (typeof RECORD_STATES)[number]

/** The severities of a gap: a defect makes the record incomplete, a note does not. */
export const GAP_SEVERITIES = ['defect', 'note'] as const
export type GapSeverity = (typeof GAP_SEVERITIES)[number]

/** The signatures that a school demands, and the severity of a drive without a note on its content. */
export type RecordSettings = {
  readonly signatures: readonly RecordSigner[]
  readonly content: GapSeverity
}

/** The codes of gaps, in the order in which they are listed. */
export const GAP_CODES = [
  'school_address_missing',
  'responsible_missing',
  'address_missing',
  'birth_date_missing',
  'prior_classes_missing',
  'instructor_number_missing',
  'cooperation_incomplete',
  'still_planned',
  'attendance_open',
  'topic_missing',
  'topic_repeated',
  'theory_day_exceeded',
  'code_missing',
  'content_missing',
  'actual_times_missing',
  'actual_times_doubtful',
  'overlap',
  'several_students',
  'instructor_not_qualified',
  'check_drive_by_trainee',
  'check_drive_too_short',
  'not_dark',
  'special_too_early',
  'units_missing',
  'block_missing',
  'training_too_old',
  'test_before_training',
  'signature_missing',
  'signature_outdated',
] as const
export type GapCode = (typeof GAP_CODES)[number]

/** A defect or a note, and the lesson that it is about; null if it is about none. */
export type RecordGap = {
  readonly code: GapCode
  readonly severity: GapSeverity
  readonly params: Readonly<Record<string, unknown>>
  readonly appointment_id: string | null
}

/** An attended theory class. `instructor_no` is the position in the record's list of instructors, from 1. */
export type TheoryRow = {
  readonly appointment_id: string
  readonly date: LocalDate
  readonly start_time: TimeOfDay
  readonly part: 'basic' | 'specific'
  readonly topic: string | null
  readonly minutes: number
  readonly instructor_no: number
}

/** A completed drive. The code is that of the form; null if the form has none for the lesson's type. */
export type PracticeRow = {
  readonly appointment_id: string
  readonly date: LocalDate
  readonly start_time: TimeOfDay
  readonly minutes: number
  readonly code: string | null
  readonly content: string | null
  readonly instructor_no: number
  readonly vehicle: string | null
  readonly gearbox: Gearbox | null
}

/** A test. `passed` is null while its result is unknown. */
export type ExamRow = {
  readonly appointment_id: string
  readonly date: LocalDate
  readonly kind: 'theory' | 'practical'
  readonly passed: boolean | null
}

/** Units from another school, or from before the school used the service. */
export type Credit = {
  readonly lesson_type_id: string
  readonly units: number
  readonly minutes: number | null
  readonly date: LocalDate
  readonly school: string
  readonly document: string | null
  readonly topics: readonly string[]
}

/** The units toward a requirement. `requirement` is the code of its lesson type; done units include the credited ones. */
export type RecordTotal = {
  readonly requirement: string
  readonly required_units: number
  readonly done_units: number
  readonly credited_units: number
  readonly block_done: boolean | null
}

export type RecordInstructor = {
  readonly no: number
  readonly instructor_id: string
  readonly name: string
}

export type Cooperation = {
  readonly role: 'commissioning' | 'commissioned'
  readonly school: string | null
  readonly address: string | null
}

export type PriorClass = { readonly license_class: string; readonly since: LocalDate | null }

/** A signature under a record. It is outdated while the record has another digest than the signed one. */
export type RecordSignature = {
  readonly id: string
  readonly as: RecordSigner
  readonly name: string
  readonly at: string
  readonly digest: string
  readonly by: { readonly kind: string; readonly id: string | null; readonly name: string }
  readonly state: 'valid' | 'outdated'
}

/** The record of a training for one class, as an inspection asks for it. */
export type TrainingRecord = {
  readonly form: string | null
  readonly law: string | null
  readonly state: RecordState
  readonly school: {
    readonly name: string
    readonly address: string | null
    readonly responsible: string | null
  }
  readonly student: {
    readonly last_name: string
    readonly first_name: string
    readonly address: string | null
    readonly birth_date: LocalDate | null
  }
  readonly license_class: string
  readonly prior_classes: readonly PriorClass[] | null
  readonly instructors: readonly RecordInstructor[]
  readonly theory: readonly TheoryRow[]
  readonly practice: readonly PracticeRow[]
  readonly exams: readonly ExamRow[]
  readonly credits: readonly Credit[]
  readonly cooperation: Cooperation | null
  readonly totals: readonly RecordTotal[]
  readonly gaps: readonly RecordGap[]
  readonly is_complete: boolean
  readonly digest: string
  readonly signatures: readonly RecordSignature[]
  readonly retained_until: LocalDate | null
}

/** A record among those of a period. */
export type ListedRecord = TrainingRecord & {
  readonly student_id: string
  readonly enrolment_id: string
  readonly ends_on: LocalDate | null
  readonly template_code: string
}
