import { sql } from 'kysely'
import type { Database } from '../schema/tables.ts'

/** The tables of which each row belongs to one student. */
type StudentTable = 'availability' | 'enrolments' | 'signatures' | 'ticks' | 'wishes'

/** Returns the students of rows, deleted rows too, each once. */
export async function listStudentsOfRows(
  db: Database,
  tenantId: string,
  table: StudentTable,
  ids: readonly string[],
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom(table)
    .select('student_id')
    .distinct()
    .where('tenant_id', '=', tenantId)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute()
  return rows.map(({ student_id }) => student_id)
}

/** Returns the ids of a student's rows, deleted rows too. */
export async function listRowIdsOf(
  db: Database,
  tenantId: string,
  table: StudentTable,
  student_id: string,
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom(table)
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('student_id', '=', student_id)
    .execute()
  return rows.map(({ id }) => id)
}
