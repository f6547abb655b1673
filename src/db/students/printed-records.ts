import { sql } from 'kysely'
import type { Strokes } from '../../domain/printed-record.ts'
import { type Parameters, statement } from '../connection/statement.ts'
import { utcText } from '../schema/columns.ts'
import type { Database } from '../schema/tables.ts'

type Shown = {
  readonly tenant_id: string
  readonly enrolment_id: string
  readonly student_id: string
  readonly appointment_ids: readonly string[]
  readonly instructor_ids: readonly string[]
}

/** Returns when the newest of the rows that a record shows was changed. */
export async function readChangedAt(db: Database, shown: Shown): Promise<string> {
  const [row] = await selectChangedAt(db, shown)
  if (!row) throw new Error('an aggregate without a row')
  return row.changed_at
}

const selectChangedAt = statement(
  (db, { tenant_id, enrolment_id, student_id, appointment_ids, instructor_ids }: Parameters<Shown>) =>
    sql<{ changed_at: string }>`
      select ${utcText(sql`greatest(
        (select updated_at from enrolments where tenant_id = ${tenant_id} and id = ${enrolment_id}),
        (select updated_at from students where tenant_id = ${tenant_id} and id = ${student_id}),
        (select max(updated_at) from appointments
          where tenant_id = ${tenant_id} and id = any(${appointment_ids}::uuid[])),
        (select max(updated_at) from instructors
          where tenant_id = ${tenant_id} and id = any(${instructor_ids}::uuid[])))`)} as changed_at
    `.compile(db),
)

type PartRow = { readonly code: string; readonly is_theory: boolean; readonly is_gearbox: boolean }

/** Returns the requirements of an enrolment's class with the parts of the training that they belong to. */
export async function readPartRequirements(
  db: Database,
  tenantId: string,
  enrolmentId: string,
): Promise<PartRow[]> {
  return selectPartRequirements(db, { tenantId, enrolmentId })
}

type OfEnrolment = { readonly tenantId: string; readonly enrolmentId: string }

const selectPartRequirements = statement((db, { tenantId, enrolmentId }: Parameters<OfEnrolment>) =>
  sql<PartRow>`
    select type.code, type.category = 'theory' as is_theory,
      requirement.also is not null or requirement.not_by_trainee as is_gearbox
    from enrolments
      join template_requirements requirement on requirement.tenant_id = ${tenantId}
        and requirement.license_class_template_id = enrolments.template_id
      join lesson_types type on type.tenant_id = ${tenantId} and type.id = requirement.lesson_type_id
    where enrolments.tenant_id = ${tenantId} and enrolments.id = ${enrolmentId}
    order by requirement.position
  `.compile(db),
)

/** Returns the handwriting of an enrolment's signatures, by id; null for typed names. */
export async function readStrokes(
  db: Database,
  tenantId: string,
  enrolmentId: string,
): Promise<ReadonlyMap<string, Strokes | null>> {
  const rows = await db
    .selectFrom('signatures')
    .select(['id', 'strokes'])
    .where('tenant_id', '=', tenantId)
    .where('enrolment_id', '=', enrolmentId)
    .execute()
  return new Map(rows.map(({ id, strokes }) => [id, strokes as Strokes | null]))
}

/** Returns the names of the school's lesson types, by id and by code. */
export async function readLessonTypeNames(
  db: Database,
  tenantId: string,
): Promise<Readonly<Record<string, string>>> {
  const types = await db
    .selectFrom('lesson_types')
    .select(['id', 'code', 'name'])
    .where('tenant_id', '=', tenantId)
    .execute()
  return Object.fromEntries(
    types.flatMap(({ id, code, name }) => [[id, name] as const, [code, name] as const]),
  )
}
