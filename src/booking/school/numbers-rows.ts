import type { Actor } from '../../contract/actor.ts'
import type { Appointment } from '../../contract/appointment.ts'
import { finishedList, type JsonList } from '../../db/json-list.ts'
import { type LessonFilter, listLessons, type MissedKind } from '../../db/numbers/lessons.ts'
import type { TakenTest } from '../../db/numbers/tests.ts'
import { readInstructors } from '../../db/school/instructors.ts'
import { type DayRange, daysOfWeek } from '../../domain/numbers.ts'
import { actualMinutesOf, actualTimesOf } from '../../domain/worked.ts'
import { candidatesOf, readyStudents } from './exam-candidates.ts'
import {
  type Attempt,
  attemptOf,
  DEFAULT_WEEKS,
  freeRows,
  idleStudents,
  passesIn,
  type Reading,
  testsIn,
} from './numbers.ts'

export type RowsQuery = {
  readonly from: string
  readonly to: string
  readonly instructor_id?: string
  readonly week?: string
  readonly lesson_type_id?: string
  readonly kind?: MissedKind
  readonly license_class?: string
  readonly test?: TakenTest['test']
  readonly attempt?: Attempt
  readonly weeks?: number
}

/** Rows behind a number: a list in the database, or all of them in memory. */
export type NumbersRows = JsonList | readonly object[]

type ReadRows = (reading: Reading, actor: Actor, query: RowsQuery) => Promise<NumbersRows>

/** The readers of the rows behind each number. */
export const NUMBERS_ROWS = {
  use: async ({ db }, { tenant }, { instructor_id, ...query }) =>
    finishedList<Lesson>(
      listLessons(db, tenant.id, { ...cut(query), done: true, ...(instructor_id && { instructor_id }) }),
      (row) => ({ ...lessonOf(row), minutes: actualMinutesOf(row, tenant.timezone) }),
    ),
  by_type: async ({ db }, { tenant }, { from, to, lesson_type_id }) =>
    finishedList<Lesson>(
      listLessons(db, tenant.id, { from, to, done: true, ...(lesson_type_id && { lesson_type_id }) }),
      (row) => ({ ...lessonOf(row), minutes: actualMinutesOf(row, tenant.timezone) }),
    ),
  missed: async ({ db }, { tenant }, { from, to, kind }) =>
    finishedList<Lesson>(listLessons(db, tenant.id, { from, to, ...(kind && { kind }) }), (row) => ({
      ...lessonOf(row),
      kind: row.kind,
      notice_minutes: row.cancellation?.notice_minutes ?? null,
    })),
  free: async (reading, actor, { instructor_id, week }) => {
    const names = await namesOfInstructors(reading, actor)
    const rows = await freeRows(reading, actor)
    return rows
      .filter((row) => isAsked(row, { instructor_id, week }))
      .map(({ date, minutes, ...row }) => {
        const instructor = names.get(row.instructor_id) ?? ''
        return { date, week: row.week, instructor_id: row.instructor_id, instructor, minutes }
      })
  },
  to_test: async ({ db }, actor, { license_class, test, ...range }) =>
    passesIn(await testsIn(db, actor, range))
      .filter((row) => isAsked(row, { license_class, test }))
      .map(({ begins_on, date, days, ...row }) => {
        return { ...ofEnrolment(row), test: row.test, begins_on, passed_on: date, days }
      }),
  passed: async ({ db }, actor, { license_class, test, attempt, ...range }) =>
    (await testsIn(db, actor, range))
      .map((row) => {
        const { appointment_id, date, passed } = row
        return { appointment_id, ...ofEnrolment(row), test: row.test, attempt: attemptOf(row), date, passed }
      })
      .filter((row) => isAsked(row, { license_class, test, attempt })),
  no_lesson: async ({ db }, actor, { weeks = DEFAULT_WEEKS }) => idleStudents(db, actor, weeks),
  special_owed: async (reading, actor) => (await candidatesOf(reading, actor)).special_owed,
  ready: async (reading, actor) =>
    (await readyStudents(reading, actor)).map(({ since, ...row }) => ({ ...row, ready_since: since })),
} as const satisfies Readonly<Record<string, ReadRows>>

export type NumberName = keyof typeof NUMBERS_ROWS

type Lesson = Pick<
  Appointment,
  | 'id'
  | 'instructor_id'
  | 'student_id'
  | 'lesson_type_id'
  | 'start_at'
  | 'end_at'
  | 'actual_start_at'
  | 'actual_end_at'
  | 'cancellation'
> & {
  readonly kind: string
  readonly instructor: string
  readonly student: string | null
  readonly lesson_type: string
}

function lessonOf(row: Lesson) {
  const { id, instructor_id, instructor, student_id, student, lesson_type_id, lesson_type } = row
  return {
    appointment_id: id,
    ...actualTimesOf(row),
    ...{ instructor_id, instructor, student_id, student, lesson_type_id, lesson_type },
  }
}

function ofEnrolment({
  enrolment_id,
  license_class,
  student_id,
  student,
}: Omit<TakenTest, 'date' | 'begins_on'>) {
  return { enrolment_id, license_class, student_id, student }
}

const NO_DAYS: DayRange = { from: '2000-01-02', to: '2000-01-01' }

/** Returns the days of a range in a week. */
function cut({ from, to, week }: Pick<RowsQuery, 'from' | 'to' | 'week'>): Pick<LessonFilter, 'from' | 'to'> {
  if (week === undefined) return { from, to }
  const days = daysOfWeek(week) ?? NO_DAYS
  return { from: days.from > from ? days.from : from, to: days.to < to ? days.to : to }
}

function isAsked(row: object, asked: Readonly<Record<string, string | undefined>>): boolean {
  return Object.entries(asked).every(
    ([name, value]) => value === undefined || (row as Readonly<Record<string, unknown>>)[name] === value,
  )
}

async function namesOfInstructors({ db }: Reading, { tenant }: Actor): Promise<ReadonlyMap<string, string>> {
  const instructors = await readInstructors(db, tenant.id)
  return new Map(instructors.map(({ id, first_name, last_name }) => [id, `${first_name} ${last_name}`]))
}
