import { type RawBuilder, sql } from 'kysely'
import { NIL } from 'uuid'
import { NewTickSchema, type StoredTick, StoredTickSchema } from '../../contract/tick.ts'
import type { LocalDate } from '../../domain/local-time.ts'
import type { TestResult } from '../../domain/ticks.ts'
import { isOwn } from '../appointments/own-lessons.ts'
import { resourceRows, type StoredRow } from '../resource-rows.ts'
import { columnsOf, selectionOf } from '../schema/columns.ts'
import type { Database } from '../schema/tables.ts'

export const TICKS = resourceRows({
  table: 'ticks',
  resource: 'tick',
  schema: StoredTickSchema,
  change: NewTickSchema,
  references: { student_id: 'students', enrolment_id: 'enrolments' },
  texts: ['note'],
})

/** The ticks of an enrolment, the results of its tests, and the facts that its rules need. */
export type StoredPapers = {
  readonly license_class: string
  readonly template_code: string
  readonly birth_date: LocalDate | null
  readonly theory_ended_on: LocalDate | null
  readonly practice_ended_on: LocalDate | null
  readonly stored: readonly StoredRow<StoredTick>[]
  readonly results: readonly TestResult[]
}

const selectPapers = (tenantId: string, isWanted: RawBuilder<unknown>, except: string = NIL) => sql<
  StoredPapers & { student_id: string }
>`
  select student.id as student_id, enrolment.license_class, template.code as template_code,
    to_char(student.birth_date, 'YYYY-MM-DD') as birth_date, enrolment.theory_ended_on, enrolment.practice_ended_on, (
      select coalesce(json_agg(tick), '[]') from (
        select ${selectionOf(columnsOf(StoredTickSchema))}, false as deleted from ticks
        where tenant_id = ${tenantId} and enrolment_id = enrolment.id and deleted_at is null) tick) as stored, (
      select coalesce(json_agg(json_build_object('category', type.category,
        'date', to_char(exam.start_at, 'YYYY-MM-DD'), 'passed', (exam.exam_result ->> 'passed')::boolean)), '[]')
      from appointments exam
      join lesson_types type on type.tenant_id = ${tenantId} and type.id = exam.lesson_type_id
      where exam.tenant_id = ${tenantId} and exam.student_id = student.id and exam.id <> ${except}
        and exam.deleted_at is null
        and exam.status <> 'cancelled' and exam.exam_result is not null and type.category like '%exam'
        and ${isOwn(sql`${tenantId}`, { lesson: 'exam', enrolment: 'enrolment', template: 'template' })}) as results
  from enrolments enrolment
  join students student on student.tenant_id = ${tenantId} and student.id = enrolment.student_id
  join license_class_templates template on template.tenant_id = ${tenantId} and template.id = enrolment.template_id
  where enrolment.tenant_id = ${tenantId} and ${isWanted}`

export async function readPapers(
  db: Database,
  tenantId: string,
  enrolment_id: string,
  except?: string,
): Promise<StoredPapers> {
  const { rows } = await selectPapers(tenantId, sql`enrolment.id = ${enrolment_id}`, except).execute(db)
  const [papers] = rows
  if (!papers) throw new Error('no enrolment row')
  return papers
}

/** Returns the papers of the current enrolments of students, by student. */
export async function readCurrentPapers(
  db: Database,
  tenantId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredPapers>> {
  const isCurrent = sql`enrolment.student_id = any(${ids}::uuid[]) and enrolment.is_current
    and enrolment.deleted_at is null`
  const { rows } = await selectPapers(tenantId, isCurrent).execute(db)
  return new Map(rows.map(({ student_id, ...papers }) => [student_id, papers]))
}

/** Returns a text that changes with every write of a tick, an enrolment or an exam of the school. */
export async function ticksVersion(db: Database, tenantId: string): Promise<string> {
  const { rows } = await sql<{ version: string }>`
    select concat_ws(' ', (select count(*) || ' ' || coalesce(sum(version), 0) from ticks where tenant_id = ${tenantId}),
      (select count(*) || ' ' || coalesce(sum(version), 0) from enrolments where tenant_id = ${tenantId}),
      (select count(*) || ' ' || coalesce(sum(version), 0) from appointments
        where tenant_id = ${tenantId} and exam_result is not null)) as version`.execute(db)
  return rows[0]?.version ?? ''
}

/** Whether an enrolment has a tick of the kind that is not deleted. */
export async function hasTick(
  db: Database,
  tenantId: string,
  { enrolment_id, kind }: Pick<StoredTick, 'enrolment_id' | 'kind'>,
): Promise<boolean> {
  const row = await db
    .selectFrom('ticks')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('enrolment_id', '=', enrolment_id)
    .where('kind', '=', kind)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}
