import type { Tenant } from '../../contract/tenant.ts'
import type { Vehicle } from '../../contract/vehicle.ts'
import { BALANCE_COLUMNS, balanceColumns } from '../../csv/balance-lines.ts'
import { type ExportColumn, headingsOf } from '../../csv/headings.ts'
import { priorClassesText } from '../../csv/prior-classes.ts'
import { STUDENT_FILE_COLUMNS } from '../../csv/student-columns.ts'
import { VEHICLE_COLUMNS, vehicleColumns } from '../../csv/vehicle-lines.ts'
import { csvBegin, csvLines, type Dialect, dialectOf } from '../../csv/writer.ts'
import {
  type ExportedBalance,
  type ExportedLesson,
  type ExportedStudent,
  listExportedBalances,
  listExportedLessons,
  listExportedStudents,
} from '../../db/exports.ts'
import type { JsonList } from '../../db/json-list.ts'
import type { Database } from '../../db/schema/tables.ts'
import { readInstructors } from '../../db/school/instructors.ts'
import { listVehicles } from '../../db/school/vehicles.ts'
import { DAYS_AROUND_FEES, feeAroseAt, feeOf } from '../../domain/cancellation.ts'
import { dateOf, daysLater } from '../../domain/local-time.ts'
import { STUDENT_COLUMNS } from '../../domain/student-fields.ts'
import { localNow } from '../../domain/time-zone.ts'
import { actualMinutesOf, workedMinutesOf } from '../../domain/worked.ts'
import { rowParts } from './row-parts.ts'

export type ReadPart = <T>(part: () => Promise<T>) => Promise<T>

export type Source = { readonly db: Database; readonly tenant: Tenant; readonly read: ReadPart }

type Period = { readonly from: string; readonly to: string }

export async function* studentsCsv({ db, tenant, read }: Source): AsyncGenerator<string> {
  const dialect = dialectOf(tenant.locale)
  const headings = [
    ...headingsOf(['id'], dialect.language),
    ...STUDENT_FILE_COLUMNS.headings(dialect.language),
  ]
  yield csvBegin(headings, dialect)
  for await (const rows of pagesOf<ExportedStudent>(listExportedStudents(db, tenant.id), read)) {
    const lines = rows.map((student) => [
      student.id,
      ...STUDENT_COLUMNS.map((column) =>
        column === 'prior_classes'
          ? priorClassesText(student.prior_classes, dialect.language)
          : cellOf(student[column], dialect),
      ),
    ])
    yield csvLines(lines, dialect)
  }
}

/** Yields the vehicles, by name. */
export async function* vehiclesCsv({ db, tenant, read }: Source): AsyncGenerator<string> {
  const dialect = dialectOf(tenant.locale)
  yield csvBegin(
    [...headingsOf(['id'], dialect.language), ...vehicleColumns.headings(dialect.language)],
    dialect,
  )
  for await (const rows of pagesOf<Vehicle>(listVehicles(db, tenant.id), read)) {
    const lines = rows.map(({ license_classes, ...vehicle }) => {
      const row = { ...vehicle, license_classes: license_classes.join(', ') }
      return [row.id, ...VEHICLE_COLUMNS.map((column) => cellOf(row[column], dialect))]
    })
    yield csvLines(lines, dialect)
  }
}

/** Yields the opening balances, a line per entry, by student. */
export async function* openingBalancesCsv({ db, tenant, read }: Source): AsyncGenerator<string> {
  const dialect = dialectOf(tenant.locale)
  yield csvBegin(balanceColumns.headings(dialect.language), dialect)
  const list = listExportedBalances(db, tenant.id)
  for await (const rows of pagesOf<ExportedBalance>(list, read)) {
    const lines = rows.flatMap(({ entries, ...student }) =>
      entries.map((entry) => {
        const row = { ...student, ...entry }
        return BALANCE_COLUMNS.map((column) => row[column])
      }),
    )
    yield csvLines(lines, dialect)
  }
}

function cellOf(
  value: string | number | boolean | null,
  { language }: Pick<Dialect, 'language'>,
): string | null {
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'boolean') return value
  return (language === 'de' ? ['nein', 'ja'] : ['no', 'yes'])[Number(value)] ?? null
}

const LESSON_COLUMNS = [
  'id',
  'start_at',
  'end_at',
  'minutes',
  'instructor',
  'student',
  'lesson_type',
  'title',
  'status',
  'actual_start_at',
  'actual_end_at',
  'practised',
  'notes',
  'exam_result',
  'exam_note',
] as const

/** Yields the lessons that start in the period, with their actual minutes. */
export async function* lessonsCsv({ db, tenant, read }: Source, period: Period): AsyncGenerator<string> {
  const dialect = dialectOf(tenant.locale)
  yield begun(LESSON_COLUMNS, dialect)
  for await (const rows of pagesOf<ExportedLesson>(listExportedLessons(db, tenant.id, period), read)) {
    const lines = rows.map((lesson) => {
      const { exam_result: result } = lesson
      const row = {
        ...lesson,
        minutes: actualMinutesOf(lesson, tenant.timezone),
        exam_result: result && (result.passed ? 'passed' : 'failed'),
        exam_note: result?.note ?? null,
      }
      return LESSON_COLUMNS.map((column) => row[column])
    })
    yield csvLines(lines, dialect)
  }
}

const MISSED_COLUMNS = [
  'fee_arose_at',
  'student',
  'phone',
  'start_at',
  'end_at',
  'instructor',
  'lesson_type',
  'status',
  'cancelled_by',
  'cancellation_reason',
  'cancelled_at',
  'notice_minutes',
  'fee_percent',
  'cancellation_note',
  'id',
] as const

/** Yields the CSV of late cancellations and no-shows by the day on which their fees arose, then by student. */
export async function* missedLessonsCsv(
  { db, tenant, read }: Source,
  period: Period,
): AsyncGenerator<string> {
  const dialect = dialectOf(tenant.locale)
  const missed: ExportedLesson[] = []
  const list = listExportedLessons(db, tenant.id, { ...around(period), missed: true })
  for await (const rows of pagesOf<ExportedLesson>(list, read)) missed.push(...rows)
  const dated = missed.map((lesson) => ({ ...lesson, fee_arose_at: feeAroseAt(lesson, tenant.timezone) }))
  const inPeriod = dated.filter(({ fee_arose_at: at }) => at >= period.from && at < period.to)
  const lines = inPeriod.toSorted(byDayAndStudent).map((lesson) => {
    const { by, reason, at, notice_minutes, note } = lesson.cancellation ?? NO_CANCELLATION
    const row = {
      ...lesson,
      cancelled_by: by,
      cancellation_reason: reason,
      cancelled_at: at && localNow(new Date(at), tenant.timezone),
      notice_minutes,
      fee_percent: feeOf(lesson),
      cancellation_note: note,
    }
    return MISSED_COLUMNS.map((column) => row[column])
  })
  yield begun(MISSED_COLUMNS, dialect) + csvLines(lines, dialect)
}

const NO_CANCELLATION = {
  by: null,
  reason: null,
  at: null,
  notice_minutes: null,
  note: null,
}

function around({ from, to }: Period): Period {
  const shifted = (at: string, days: number) => `${daysLater(dateOf(at), days)} 00:00`
  return { from: shifted(from, -DAYS_AROUND_FEES), to: shifted(to, DAYS_AROUND_FEES) }
}

type DatedLesson = ExportedLesson & { readonly fee_arose_at: string }

function byDayAndStudent(a: DatedLesson, b: DatedLesson): number {
  const byDay = dateOf(a.fee_arose_at).localeCompare(dateOf(b.fee_arose_at))
  return byDay || (a.student ?? '').localeCompare(b.student ?? '') || a.start_at.localeCompare(b.start_at)
}

const WORKED_COLUMNS = ['id', 'last_name', 'first_name', 'lessons', 'worked_minutes'] as const

/** Yields the time worked in the period, a line per instructor. */
export async function* workedTimeCsv({ db, tenant, read }: Source, period: Period): AsyncGenerator<string> {
  const dialect = dialectOf(tenant.locale)
  const worked = new Map<string, { lessons: number; worked_minutes: number }>()
  for await (const rows of pagesOf<ExportedLesson>(listExportedLessons(db, tenant.id, period), read)) {
    for (const [id, own] of Map.groupBy(rows, ({ instructor_id }) => instructor_id)) {
      const { lessons, worked_minutes } = worked.get(id) ?? NOTHING
      const done = own.filter(({ status }) => status === 'completed').length
      worked.set(id, {
        lessons: lessons + done,
        worked_minutes: worked_minutes + workedMinutesOf(own, tenant.timezone),
      })
    }
  }
  const instructors = await read(() => readInstructors(db, tenant.id))
  const lines = instructors.toSorted(byName).map((instructor) => {
    const row = { ...instructor, ...(worked.get(instructor.id) ?? NOTHING) }
    return WORKED_COLUMNS.map((column) => row[column])
  })
  yield begun(WORKED_COLUMNS, dialect) + csvLines(lines, dialect)
}

const NOTHING = { lessons: 0, worked_minutes: 0 }

type Named = { readonly first_name: string; readonly last_name: string }

function byName(a: Named, b: Named): number {
  return a.last_name.localeCompare(b.last_name) || a.first_name.localeCompare(b.first_name)
}

function begun(columns: readonly ExportColumn[], dialect: Dialect): string {
  return csvBegin(headingsOf(columns, dialect.language), dialect)
}

export async function* pagesOf<Row>(list: JsonList, read: ReadPart): AsyncGenerator<readonly Row[]> {
  const { pages } = await read(() => list.outline())
  for await (const rows of rowParts(list, pages, read)) yield JSON.parse(`[${rows}]`)
}
