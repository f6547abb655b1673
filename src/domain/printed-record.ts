import type { LocalDate, TimeOfDay } from './local-time.ts'
import { recordChangesSince } from './record-changes.ts'
import type { RecordInstructor, RecordSignature, TrainingRecord } from './training-record.ts'

/** The lines of a pen, as points with a time. */
export type Strokes = readonly (readonly (readonly [x: number, y: number, ms: number])[])[]

/** A signature with its handwriting; null for a typed name. */
export type PrintedSignature = Pick<RecordSignature, 'as' | 'name' | 'at' | 'state'> & {
  readonly strokes: Strokes | null
  /** The changes since, if it is outdated. */
  readonly changes: readonly PrintedChange[]
}

export type PrintedRecord = Omit<TrainingRecord, 'instructors' | 'signatures'> & {
  /** With their numbers in the school, by which the sheets of their minutes name them. */
  readonly instructors: readonly (RecordInstructor & { readonly number: string | null })[]
  readonly signatures: readonly PrintedSignature[]
  /** The time of the newest change of the data shown: UTC, RFC 3339. */
  readonly changed_at: string
}

type ChangedField =
  | ('date' | 'start_time' | 'minutes' | 'part' | 'topic' | 'code' | 'content' | 'gearbox' | 'instructor_id')
  | ('license_class' | 'prior_classes' | 'credits' | 'cooperation' | 'added' | 'removed')

/** The names of changed fields of a record. */
export type ChangedFieldNames = Readonly<Record<ChangedField, string>>

/** The changed fields of a row, which may be new or gone; without a date those of the record itself. */
export type PrintedChange = {
  readonly date: LocalDate | null
  readonly start_time: TimeOfDay | null
  readonly fields: readonly ChangedField[]
}

type Rows = Pick<TrainingRecord, 'theory' | 'practice'>

/** Returns the changes of a record since it was signed, by row in their order, then those that belong to no row. */
export function printedChangesSince(
  signed: TrainingRecord,
  record: Omit<TrainingRecord, 'signatures'>,
): readonly PrintedChange[] {
  const rows = new Map([...rowsIn(signed), ...rowsIn(record)].map((row) => [row.appointment_id, row]))
  const byRow = Map.groupBy(recordChangesSince(signed, record), ({ appointment_id }) => appointment_id)
  const changes = [...byRow].map(([id, changed]) => {
    const { date = null, start_time = null } = (id !== null && rows.get(id)) || {}
    return { date, start_time, fields: changed.map(({ field }) => fieldOf(field, id, record)) }
  })
  const orderOf = ({ date, start_time }: PrintedChange) => (date === null ? '~' : `${date} ${start_time}`)
  return changes.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))
}

function rowsIn({ theory, practice }: Rows) {
  return [...theory, ...practice]
}

function fieldOf(field: string, id: string | null, record: Rows): ChangedField {
  if (field !== 'theory' && field !== 'practice') return field as ChangedField
  return record[field].some(({ appointment_id }) => appointment_id === id) ? 'added' : 'removed'
}

/** Returns a class as forms name it: with its key number if the training is for one, such as B197. */
export function namedClass(license_class: string, template_code: string): string {
  const isKeyNumber =
    template_code.startsWith(license_class) && /^\d+$/.test(template_code.slice(license_class.length))
  return isKeyNumber ? template_code : license_class
}
