import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { connectForMaintenance } from '../src/db/connect.ts'
import { openEmbedded, takeDataDir } from '../src/db/data-dir.ts'
import { migrate } from '../src/db/migrate.ts'
import type { DatabasePool } from '../src/db/pool.ts'
import type { Database } from '../src/db/tables.ts'
import { foundSchools, LESSONS_A_WEEK, writeHistory } from '../test/support/history.ts'
import { startPostgres } from '../test/support/postgres-server.ts'
import { progress } from './progress.ts'

/** One school with 100,000 lessons, each of them changed once, and all of it in the log. */
const WEEKS = Number(process.argv[2] ?? 1_000)
const LOOK_MS = 50

const report = (error: Error) => console.error('lost connection', error.message)

const postgres = await startPostgres()
const dataDir = mkdtempSync(join(tmpdir(), 'fahrplan-bench-'))
try {
  const server = connectForMaintenance(postgres.url, report)
  await fill('PostgreSQL', server)
  await server.destroy()
  await run('PostgreSQL', { DATABASE_URL: postgres.url })

  const held = takeDataDir(dataDir, 'bench')
  const embedded = await openEmbedded(held, report)
  await fill('embedded', embedded)
  await embedded.destroy()
  held.release()
  await run('embedded', { DATA_DIR: dataDir })
} finally {
  await postgres.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

async function fill(name: string, db: DatabasePool): Promise<void> {
  await migrate(db)
  await foundSchools(db, { count: 1 })
  await writeHistory(db, { weeks: WEEKS }, progress(`${name}: ${WEEKS * LESSONS_A_WEEK} lessons`, WEEKS))
  await noteHistory(db)
  await sql`vacuum (analyze, truncate false)`.execute(db)
}

/** Notes that the lessons were booked, and then deleted or changed; and that there are people. */
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

/** Runs the command, and beside it one that does next to nothing: that is what opening the database takes. */
async function run(name: string, env: Readonly<Record<string, string>>): Promise<void> {
  await measure(`${name}, tenant list`, ['tenant', 'list'], env)
  await measure(`${name}, doctor`, ['doctor'], env)
}

/** Says how long a command took and the most memory that it had. */
async function measure(
  name: string,
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const begun = performance.now()
  const child = spawn(process.execPath, ['bin/fahrplan.js', ...argv], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: 'inherit',
  })
  let peak = ''
  const timer = setInterval(() => {
    peak = peakMemoryOf(child.pid) ?? peak
  }, LOOK_MS)
  const code = await new Promise((ended) => child.once('exit', ended))
  clearInterval(timer)
  console.log(`${name}: ${((performance.now() - begun) / 1000).toFixed(1)} s, at most ${peak}, exit ${code}`)
}

/** What Linux says of a process that is still there. */
function peakMemoryOf(pid: number | undefined): string | undefined {
  try {
    return /^VmHWM:\s+(.+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  } catch {
    return undefined
  }
}
