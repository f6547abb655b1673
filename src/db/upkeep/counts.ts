import { sql } from 'kysely'
import type { Database } from '../schema/tables.ts'

/** The numbers of schools, and of students and lessons that are not deleted. */
export type InstallationCounts = {
  readonly schools: number
  readonly students: number
  readonly lessons: number
}

export async function countAll(db: Database): Promise<InstallationCounts> {
  const { rows } = await sql<InstallationCounts>`
    select (select count(*)::int from tenants) as schools,
           (select count(*)::int from students where deleted_at is null) as students,
           (select count(*)::int from appointments where deleted_at is null) as lessons`.execute(db)
  const [counts] = rows
  if (!counts) throw new Error('a query without a table returns a row')
  return counts
}
