import type { Tenant } from '../../contract/tenant.ts'
import { headingsOf } from '../../csv/headings.ts'
import { csvBegin, csvLines, dialectOf } from '../../csv/writer.ts'
import type { Database } from '../../db/schema/tables.ts'
import { readLessonTypeNames } from '../../db/school/lesson-types.ts'
import type { ListedRecord } from '../../domain/training-record.ts'

const COLUMNS = [
  'kind',
  'date',
  'start_at',
  'topic',
  'form_code',
  'practised',
  'minutes',
  'instructor_no',
  'instructor',
  'vehicle',
  'gearbox',
  'exam_result',
  'lesson_type',
  'units',
  'school',
  'document',
] as const

const STUDENT_COLUMNS = ['student_id', 'enrolment_id', 'last_name', 'first_name', 'license_class'] as const

type Line = Readonly<Partial<Record<(typeof COLUMNS)[number], string | number | null>>>

/** Yields a record as CSV, a line per row: theory, practice, exams, credits. */
export async function* recordCsv(
  db: Database,
  { id, locale }: Pick<Tenant, 'id' | 'locale'>,
  record: ListedRecord,
): AsyncGenerator<string> {
  const dialect = dialectOf(locale)
  const nameOf = await typeNames(db, id)
  const lines = linesOf(record, nameOf).map(cellsOf)
  yield csvBegin(headingsOf(COLUMNS, dialect.language), dialect) + csvLines(lines, dialect)
}

/** Yields records as CSV, each line with its student and enrolment. */
export async function* recordsCsv(
  db: Database,
  { id, locale }: Pick<Tenant, 'id' | 'locale'>,
  records: AsyncIterable<ListedRecord>,
): AsyncGenerator<string> {
  const dialect = dialectOf(locale)
  const nameOf = await typeNames(db, id)
  yield csvBegin(headingsOf([...STUDENT_COLUMNS, ...COLUMNS], dialect.language), dialect)
  for await (const record of records) {
    const { student_id, enrolment_id, license_class, student } = record
    const begin = [student_id, enrolment_id, student.last_name, student.first_name, license_class]
    const lines = linesOf(record, nameOf).map((line) => [...begin, ...cellsOf(line)])
    if (lines.length > 0) yield csvLines(lines, dialect)
  }
}

type NameOf = (lesson_type_id: string) => string | null

async function typeNames(db: Database, tenantId: string): Promise<NameOf> {
  const names = await readLessonTypeNames(db, tenantId)
  return (id) => names.get(id)?.name ?? null
}

function cellsOf(line: Line): readonly (string | number | null)[] {
  return COLUMNS.map((column) => line[column] ?? null)
}

function linesOf(record: ListedRecord, nameOf: NameOf): readonly Line[] {
  const { theory, practice, exams, credits, instructors } = record
  const taught = (no: number) => ({ instructor_no: no, instructor: instructors[no - 1]?.name ?? null })
  return [
    ...theory.map(({ part, date, start_time, topic, minutes, instructor_no }) => ({
      ...{ kind: `theory_${part}`, date, start_at: start_time, topic, minutes },
      ...taught(instructor_no),
    })),
    ...practice.map(({ code, content, start_time, instructor_no, ...row }) => ({
      ...{ kind: 'practice', ...row, start_at: start_time, form_code: code, practised: content },
      ...taught(instructor_no),
    })),
    ...exams.map(({ kind, date, passed }) => ({
      ...{ kind: `${kind}_exam`, date },
      exam_result: passed === null ? null : passed ? 'passed' : 'failed',
    })),
    ...credits.map(({ lesson_type_id, units, minutes, date, school, document, topics }) => ({
      ...{ kind: 'credit', date, minutes, units, school, document },
      ...{ topic: topics.length > 0 ? topics.join(', ') : null, lesson_type: nameOf(lesson_type_id) },
    })),
  ]
}
