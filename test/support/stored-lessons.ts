import { sql } from 'kysely'
import type { TestService } from './app.ts'
import type { School } from './factory.ts'

/** A lesson as stored, whether or not the rules allow it. */
export type StoredLesson = {
  readonly instructor_id: string
  readonly student_id: string | null
  readonly lesson_type_id: string
  readonly start_at: string
  readonly end_at: string
  readonly status: string
}

/** Stores lessons in one statement. Those of one person must not overlap, unless they are cancelled. */
export async function storeLessons(
  { db }: TestService,
  { tenantId }: Pick<School, 'tenantId'>,
  lessons: readonly StoredLesson[],
): Promise<void> {
  await sql`
    insert into appointments (tenant_id, id, instructor_id, student_id, lesson_type_id, start_at, end_at, title,
      status, overrides_used)
    select ${tenantId}, gen_random_uuid(), instructor_id, student_id, lesson_type_id, start_at, end_at, 'x', status, '{}'
    from json_to_recordset(${JSON.stringify(lessons)}::json) as lesson(instructor_id uuid, student_id uuid,
      lesson_type_id uuid, start_at timestamp, end_at timestamp, status text)`.execute(db)
}
