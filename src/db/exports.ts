import { type RawBuilder, sql } from 'kysely'
import type { Appointment } from '../contract/appointment.ts'
import type { Enrolment } from '../contract/enrolment.ts'
import { namesOf } from '../domain/fields.ts'
import { STUDENT_FIELDS, type StudentColumn } from '../domain/student-fields.ts'
import { isMissed } from './appointments/appointments.ts'
import type { Parameters } from './connection/statement.ts'
import { type JsonList, jsonList } from './json-list.ts'
import { actualEndAt, actualStartAt, endAt, startAt } from './schema/columns.ts'
import type { Database } from './schema/tables.ts'
import { openingBalance, BY_NAME as STUDENTS_BY_NAME } from './students/students.ts'

/** Versioned by time, because exports contain names of other rows, which change without the row's version. */
const BY_NAME = { ...STUDENTS_BY_NAME, versionedBy: 'updated_at' } as const

export type ExportedStudent = Readonly<
  Record<
    Exclude<'id' | StudentColumn, 'messages_consent' | 'lessons_per_week' | 'prior_classes' | 'archived'>,
    string | null
  > & {
    messages_consent: boolean
    archived: boolean
    lessons_per_week: number | null
    prior_classes: Enrolment['prior_classes']
  }
>

const { license_class_template_id: _, preferred_instructor_id: __, ...shownAsStored } = STUDENT_FIELDS

export const listExportedStudents = jsonList(BY_NAME, (db, { tenantId }: Parameters<{ tenantId: string }>) =>
  db
    .selectFrom('students')
    .select(['id', ...namesOf(shownAsStored)])
    .select([
      sql<
        string | null
      >`(select code from license_class_templates template where template.tenant_id = ${tenantId}
        and template.id = students.license_class_template_id)`.as('license_class'),
      nameOf('instructors', tenantId, 'students.preferred_instructor_id').as('preferred_instructor'),
      sql<boolean>`archived_at is not null`.as('archived'),
      sql<Enrolment['prior_classes']>`(select prior_classes from enrolments
        where enrolments.tenant_id = ${tenantId} and enrolments.student_id = students.id and is_current
          and enrolments.deleted_at is null)`.as('prior_classes'),
    ])
    .where('tenant_id', '=', tenantId)
    .where('deleted_at', 'is', null),
)

export type ExportedBalance = Readonly<Record<'id' | 'last_name' | 'first_name', string>> & {
  readonly entries: readonly {
    readonly lesson_type: string | null
    readonly units: number
    readonly date: string
    readonly source: string
  }[]
}

export const listExportedBalances = jsonList(BY_NAME, (db, { tenantId }: Parameters<{ tenantId: string }>) =>
  db
    .selectFrom('students')
    .select(['id', 'last_name', 'first_name'])
    .select(
      sql<ExportedBalance['entries']>`(
        select json_agg(json_build_object('lesson_type', type.name, 'units', units, 'date', date, 'source', source)
          order by place)
        from rows from (json_to_recordset(${openingBalance(tenantId)})
          as (lesson_type_id uuid, units integer, date text, source text))
          with ordinality entry (lesson_type_id, units, date, source, place)
        left join lesson_types type on type.tenant_id = ${tenantId} and type.id = entry.lesson_type_id)`.as(
        'entries',
      ),
    )
    .where('tenant_id', '=', tenantId)
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`${openingBalance(tenantId)}::text <> '[]'`),
)

/** A lesson in a CSV file. A deleted student is named, since the lesson took place. */
export type ExportedLesson = Pick<
  Appointment,
  | 'id'
  | 'start_at'
  | 'end_at'
  | 'instructor_id'
  | 'title'
  | 'status'
  | 'actual_start_at'
  | 'actual_end_at'
  | 'practised'
  | 'notes'
  | 'cancellation'
  | 'no_show_fee_percent'
  | 'exam_result'
> & {
  readonly phone: string | null
  readonly instructor: string
  readonly student: string | null
  readonly lesson_type: string
}

type Period = { readonly from: string; readonly to: string }
type Choice = Period & { readonly missed?: true }

/** Lists lessons that start in `[from, to)`, by start, cancelled ones included. */
export function listExportedLessons(db: Database, tenantId: string, choice: Choice): JsonList {
  return lessons(db, tenantId, choice)
}

const lessons = jsonList(
  { from: 'appointments', orderedBy: { start_at: 'timestamp', id: 'uuid' }, versionedBy: 'updated_at' },
  (db, { tenantId, from, to, missed }: Parameters<Choice & { tenantId: string }>) =>
    db
      .selectFrom('appointments')
      .select(['id', startAt, endAt, 'instructor_id'])
      .select([
        nameOf('instructors', tenantId, 'appointments.instructor_id').as('instructor'),
        nameOf('students', tenantId, 'appointments.student_id').as('student'),
        sql<string | null>`(select phone from students where tenant_id = ${tenantId}
          and id = appointments.student_id)`.as('phone'),
        sql<string>`(select name from lesson_types type where type.tenant_id = ${tenantId}
          and type.id = appointments.lesson_type_id)`.as('lesson_type'),
      ])
      .select([
        'title',
        'status',
        actualStartAt,
        actualEndAt,
        'practised',
        'notes',
        'cancellation',
        'no_show_fee_percent',
        'exam_result',
      ])
      .where('tenant_id', '=', tenantId)
      .where('deleted_at', 'is', null)
      .where(sql<boolean>`start_at >= ${from}::timestamp and start_at < ${to}::timestamp`)
      .$if(missed !== undefined, (rest) => rest.where(isMissed)),
)

function nameOf(table: 'instructors' | 'students', tenantId: RawBuilder<string>, id: string) {
  return sql<string>`(select person.first_name || ' ' || person.last_name from ${sql.table(table)} person
    where person.tenant_id = ${tenantId} and person.id = ${sql.ref(id)})`
}
