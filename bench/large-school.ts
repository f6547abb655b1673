import { sql } from 'kysely'
import type { DatabasePool } from '../src/db/connection/pool.ts'
import { migrate } from '../src/db/schema/migrate.ts'
import type { Database } from '../src/db/schema/tables.ts'
import { foundSchools, LESSONS_A_WEEK, writeHistory } from '../test/support/history.ts'
import { progress } from './progress.ts'

/** Makes one school in an empty database: 100 lessons a week, each changed once, and all of it in the log. */
export async function fillWithLargeSchool(name: string, db: DatabasePool, weeks: number): Promise<void> {
  await migrate(db)
  await foundSchools(db, { count: 1 })
  await writeHistory(db, { weeks }, progress(`${name}: ${weeks * LESSONS_A_WEEK} lessons`, weeks))
  await noteHistory(db)
  await sql`vacuum (analyze, truncate false)`.execute(db)
}

async function noteHistory(db: Database): Promise<void> {
  await sql`update appointments set version = 2, notes = case when deleted_at is null then 'Motorway' end`.execute(
    db,
  )
  const noted = sql`insert into changes (tenant_id, id, at, actor_kind, actor_name, resource, resource_id, action, set_id,
    before, after)`
  await sql`${noted} select tenant_id, gen_random_uuid(), now() - interval '1 hour' + row_number() over () * interval '1 ms',
      'command', 'bench', 'appointment', id, 'created', gen_random_uuid(), null, json_build_object(
        'instructor_id', instructor_id, 'student_id', student_id, 'lesson_type_id', lesson_type_id,
        'start_at', to_char(start_at, 'YYYY-MM-DD HH24:MI'), 'end_at', to_char(end_at, 'YYYY-MM-DD HH24:MI'),
        'title', title, 'status', status, 'notes', null, 'overrides_used', overrides_used, 'version', 1)
    from appointments`.execute(db)
  await sql`${noted} select tenant_id, gen_random_uuid(), now(), 'command', 'bench', 'appointment', id,
      case when deleted_at is null then 'changed' else 'deleted' end, gen_random_uuid(), '{"notes":null,"version":1}',
      case when deleted_at is null then '{"notes":"Motorway","version":2}'::json end
    from appointments`.execute(db)
  await sql`${noted} select tenant_id, gen_random_uuid(), now() - interval '2 hours', 'command', 'bench', kind, id,
      'created', gen_random_uuid(), null, '{"version":1}' from calendars`.execute(db)
}
