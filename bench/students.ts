import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { connectForMaintenance } from '../src/db/connection/connect.ts'
import type { DatabasePool } from '../src/db/connection/pool.ts'
import { openEmbedded, takeDataDir } from '../src/db/upkeep/data-dir.ts'
import { checkoutIn, HERE } from './checkout.ts'
import { askOnce } from './http-load.ts'
import { foundSchool, PASSWORD } from './idle-school.ts'
import { median } from './median.ts'
import { startEmptyPostgres, type Undo } from './servers.ts'

/**
 * Compares the list of 2,000 students with enrolments, ticks and readiness with the lists that have less. All are requested in turn;
 * the results are the medians of the rounds' ratios. Fails if it takes over 1.5 times as long as with readiness alone, or if a training
 * record takes over twice as long as the list of the student's lessons. Options: --rounds N
 */
const { values: options } = parseArgs({ options: { rounds: { type: 'string', default: '9' } } })

const STUDENTS = 2_000
const LESSONS_EACH = 30
const MAX_RATIO = 1.5
const MAX_RECORD_RATIO = 2
const REQUESTS_A_ROUND = 10
const INSTRUCTORS = 60
const JWT_SECRET = 'the secret of the bench has more than 256 bits'
const ALL = '?with=enrolments,ticks,readiness'
const LISTS = [ALL, '', '?with=readiness', '?with=progress', '?with=ticks'] as const

const undo: Undo = []
try {
  const url = await startEmptyPostgres(undo)
  await compare('PostgreSQL', { DATABASE_URL: url, JWT_SECRET }, async () => {
    const db = connectForMaintenance(url, console.error)
    await fill(db)
    await db.destroy()
  })
  const dataDir = mkdtempSync(join(tmpdir(), 'fahrplan-bench-'))
  undo.push(() => rmSync(dataDir, { recursive: true, force: true }))
  await compare('embedded', { DATA_DIR: dataDir, JWT_SECRET }, async () => {
    const held = takeDataDir(dataDir, 'bench')
    const db = await openEmbedded(held, console.error)
    await fill(db)
    await db.destroy()
    held.release()
  })
} finally {
  for (const one of undo.reverse()) await one()
}

async function compare(
  name: string,
  env: Readonly<Record<string, string>>,
  prepare: () => Promise<void>,
): Promise<void> {
  const checkout = checkoutIn(HERE)
  const email = foundSchool(checkout, env, 'Students')
  await prepare()
  const { port, stop } = await checkout.serve({ ...env, PORT: '0', METRICS_PORT: '0' })
  try {
    const body = JSON.stringify({ email, password: PASSWORD })
    const login = await askOnce(port, { method: 'POST', path: '/api/v1/auth/login', body })
    const headers = { authorization: `Bearer ${JSON.parse(login.body).token}` }
    const times: Record<string, number>[] = []
    for (let round = -2; round < Number(options.rounds); round += 1) {
      const taken: Record<string, number> = {}
      for (const list of LISTS) {
        const begun = performance.now()
        const answer = await askOnce(port, { method: 'GET', path: `/api/v1/students${list}`, headers })
        taken[list] = performance.now() - begun
        if (answer.status !== 200) throw new Error(answer.body)
      }
      // The first rounds warm up.
      if (round >= 0) times.push(taken)
    }
    await compareRecord(name, (path) => askOnce(port, { method: 'GET', path: `/api/v1${path}`, headers }))
    const of = (list: string) => times.map((one) => one[list] ?? 0)
    for (const list of LISTS) {
      const ratio = median(times.map((one) => (one[ALL] ?? 0) / (one[list] ?? 1)))
      if (list === '?with=readiness' && ratio > MAX_RATIO) process.exitCode = 1
      console.log(
        `${name} /students${list}: ${median(of(list)).toFixed(0)} ms; with all ${ratio.toFixed(2)} times`,
      )
    }
  } finally {
    await stop()
  }
}

type Ask = (path: string) => ReturnType<typeof askOnce>

/** Compares the records of students, each once, with the lists of their lessons. An enrolment has the id of its student. */
async function compareRecord(name: string, ask: Ask): Promise<void> {
  const rounds = Number(options.rounds)
  const students = JSON.parse((await ask(`/students?limit=${REQUESTS_A_ROUND * (rounds + 1)}`)).body)
  const ratios: number[] = []
  const times: Record<'record' | 'list', number>[] = []
  for (let round = 0; round <= rounds; round += 1) {
    const taken = { record: 0, list: 0 }
    for (const { id } of students.slice(round * REQUESTS_A_ROUND, (round + 1) * REQUESTS_A_ROUND)) {
      for (const [kind, path] of [
        ['record', `/enrolments/${id}/record`],
        ['list', `/appointments?student_id=${id}`],
      ] as const) {
        const begun = performance.now()
        const answer = await ask(path)
        taken[kind] += (performance.now() - begun) / REQUESTS_A_ROUND
        if (answer.status !== 200) throw new Error(answer.body)
      }
    }
    // The first round warms up.
    if (round > 0) {
      times.push(taken)
      ratios.push(taken.record / taken.list)
    }
  }
  const [record, list] = (['record', 'list'] as const).map((kind) => median(times.map((one) => one[kind])))
  const ratio = median(ratios)
  if (ratio > MAX_RECORD_RATIO) process.exitCode = 1
  console.log(
    `${name} record: ${record?.toFixed(1)} ms; list of lessons: ${list?.toFixed(1)} ms; ${ratio.toFixed(2)} times`,
  )
}

/** Adds students of class B with lessons of every type, three ticks each, and a passed or failed theory test of every other one. */
async function fill(db: DatabasePool): Promise<void> {
  const { rows } = await sql<{ tenant_id: string; template_id: string; types: string[]; exam: string }>`
    select tenant_id, id as template_id, (
        select array_agg(id order by position) from lesson_types type
        where type.tenant_id = template.tenant_id and category in ('theory', 'practical', 'special')) as types, (
        select id from lesson_types type
        where type.tenant_id = template.tenant_id and category = 'theory_exam') as exam
    from license_class_templates template where code = 'B'`.execute(db)
  const [{ tenant_id, template_id, types, exam } = { tenant_id: '', template_id: '', types: [], exam: '' }] =
    rows
  await sql`create temp table person as
    select gen_random_uuid() as id, n from generate_series(1, ${sql.lit(INSTRUCTORS + STUDENTS)}) n`.execute(
    db,
  )
  await sql`insert into calendars (tenant_id, id, kind)
    select ${tenant_id}, id, case when n <= ${sql.lit(INSTRUCTORS)} then 'instructor' else 'student' end
    from person`.execute(db)
  await sql`insert into instructors (tenant_id, id, first_name, last_name, color, license_classes, active, required_break_minutes)
    select ${tenant_id}, id, 'Instructor', 'Number ' || n, '#0072B2', '{B}', true, 0
    from person where n <= ${sql.lit(INSTRUCTORS)}`.execute(db)
  const isStudent = sql`n > ${sql.lit(INSTRUCTORS)}`
  await sql`insert into students (tenant_id, id, first_name, last_name, birth_date, license_class_template_id)
    select ${tenant_id}, id, 'Student', 'Number ' || n, '2000-01-31', ${template_id} from person where ${isStudent}`.execute(
    db,
  )
  await sql`insert into enrolments (tenant_id, id, student_id, template_id, license_class, begins_on, is_current)
    select ${tenant_id}, id, id, ${template_id}, 'B', '2026-01-05', true from person where ${isStudent}`.execute(
    db,
  )
  await sql`insert into ticks (tenant_id, id, student_id, enrolment_id, kind, date)
    select ${tenant_id}, gen_random_uuid(), id, id, kind, '2026-01-05'
    from person, unnest('{photo,sight_test,first_aid}'::text[]) kind where ${isStudent}`.execute(db)
  await sql`insert into appointments (tenant_id, id, instructor_id, student_id, lesson_type_id, start_at, end_at, title,
      status, overrides_used, license_class, exam_result)
    select ${tenant_id}, gen_random_uuid(), instructor.id, student.id,
      case when is_exam then ${exam}::uuid else (${types}::uuid[])[1 + lesson % ${sql.lit(types.length)}] end,
      start_at, start_at + interval '90 minutes', 'Bench', 'completed', '{}', 'B',
      case when is_exam then json_build_object('note', null, 'passed', student.n % 4 = 0) end
    from person student
    join person instructor on instructor.n = 1 + student.n % ${sql.lit(INSTRUCTORS)}
    cross join generate_series(0, ${sql.lit(LESSONS_EACH - 1)}) lesson
    cross join lateral (
      select lesson = ${sql.lit(LESSONS_EACH - 1)} and student.n % 2 = 0 as is_exam, timestamp '2026-01-05'
        + (student.n / ${sql.lit(INSTRUCTORS)} * ${sql.lit(LESSONS_EACH)} + lesson) * interval '2 hours' as start_at) at
    where student.${isStudent}`.execute(db)
  await sql`vacuum (analyze, truncate false)`.execute(db)
}
