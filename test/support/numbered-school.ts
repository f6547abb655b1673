import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Student } from '../../src/contract/student.ts'
import { minutesLater } from '../../src/domain/local-time.ts'
import { isSkipped } from '../../src/domain/time-zone.ts'
import type { RandomInteger } from '../concurrency/random-integers.ts'
import { drawn, pick } from '../concurrency/random-integers.ts'
import type { TestService } from './app.ts'
import { must } from './client.ts'
import { aSchool, type School } from './factory.ts'
import { templateOf } from './trainer.ts'

/** The days of the lessons: both changes of the clocks of Berlin are among them. */
const SPANS = [
  ['2026-03-23 00:00', 14],
  ['2026-10-19 00:00', 14],
  ['2026-11-16 00:00', 42],
] as const
export const NOW = new Date('2026-11-30T11:00:00Z')
export const TODAY = '2026-11-30'

export type NumberedSchool = {
  readonly school: School
  readonly instructors: readonly string[]
  readonly students: readonly string[]
}

/** Makes a random school with lessons at all hours, also over changes of the clocks, of which some were missed, and with tests. */
export async function aNumberedSchool(service: TestService, random: RandomInteger): Promise<NumberedSchool> {
  service.setClock(NOW)
  const school = await aSchool(service, { timezone: pick(['Europe/Berlin', 'Europe/London'], random) ?? '' })
  const windows = (from: number) =>
    [1, 2, 3, 4, 5, 6].map((weekday) => ({
      weekday,
      start: `0${from}:00`,
      end: weekday === 6 ? '12:00' : '18:00',
    }))
  const vacations = [{ start_date: '2026-12-07', end_date: '2026-12-09' }]
  const made = [
    await school.instructor({
      last_name: 'Adler',
      availability_windows: windows(7),
      max_daily_units: 4 + random(6),
      vacations,
    }),
    await school.instructor({
      last_name: 'Berg',
      availability_windows: windows(9),
      max_weekly_units: 5 + random(30),
    }),
    await school.instructor({ last_name: 'Conrad' }),
    await school.instructor({ last_name: 'Dorn', active: false }),
  ]
  const closure = { start_date: '2026-12-02', end_date: '2026-12-02' }
  must(201, await school.client.post('/closures', closure))
  const students: Student[] = []
  for (const code of ['B', 'BE', 'A2_STEP_A1_GE2Y', 'B', 'BE', 'B', 'A2_STEP_A1_GE2Y', 'BE']) {
    const license_class_template_id = await templateOf(school, code)
    students.push(
      (await school.student({ last_name: `Vogt ${code}`, license_class_template_id })) as unknown as Student,
    )
  }
  for (const { id } of students) await enrolLongAgo(school, id, random)
  const instructors = made.map(({ id }) => id)
  const ids = students.map(({ id }) => id)
  await fill(service, { school, instructors, students: ids }, random)
  return { school, instructors, students: ids }
}

async function enrolLongAgo(school: School, student: string, random: RandomInteger): Promise<void> {
  const [enrolment] = must(200, await school.client.get(`/students/${student}/enrolments`))
  const begins_on = `2026-${pick(['01', '09', '11'], random)}-1${random(10)}`
  must(200, await school.client.patch(`/enrolments/${enrolment.id}`, { begins_on }))
  if (random(3) > 0) return
  const rural = [
    { lesson_type_id: school.lessonTypes.RURAL, units: 1 + random(5), date: '2025-01-31', source: 'Nord' },
  ]
  must(200, await school.client.put(`/students/${student}/opening-balance`, rural))
}

/** Whether no clock change skips a time of the lesson. */
function isReal(lesson: ReturnType<typeof aLesson>, zone: string): boolean {
  const { start_at, end_at, actual_start_at, actual_end_at } = lesson
  return [start_at, end_at, actual_start_at, actual_end_at].every((at) => at === null || !isSkipped(at, zone))
}

const TYPES = ['PRACTICE', 'RURAL', 'MOTORWAY', 'NIGHT', 'THEORY_EXAM', 'PRACTICAL_EXAM', 'INTERNAL']

/** Fills the calendars of instructors with lessons one after the other, each with a student of their own. */
async function fill(
  { db }: TestService,
  { school, instructors, students }: NumberedSchool,
  random: RandomInteger,
): Promise<void> {
  const rows: object[] = []
  const { timezone: zone } = must(200, await school.client.get('/tenant'))
  for (const [index, instructor_id] of instructors.entries()) {
    const own = students.slice(2 * index, 2 * index + 2)
    for (const [first, days] of SPANS) {
      const end = minutesLater(first, days * 1440)
      for (let at = minutesLater(first, 15 * random(96)); at < end; ) {
        const lesson = aLesson(at, random)
        const student_id = lesson.type === 'INTERNAL' ? null : (pick(own, random) ?? null)
        if (isReal(lesson, zone)) rows.push({ id: randomUUID(), instructor_id, student_id, ...lesson })
        at = minutesLater(lesson.end_at, 30 + 15 * random(160))
      }
    }
  }
  await sql`insert into appointments (tenant_id, id, instructor_id, student_id, lesson_type_id, start_at, end_at, title, status,
      overrides_used, actual_start_at, actual_end_at, cancellation, exam_result)
    select ${school.tenantId}, row.id, instructor_id, student_id, type.id, start_at, end_at, 'Random', status, '{}',
      actual_start_at, actual_end_at, cancellation, exam_result
    from json_to_recordset(${JSON.stringify(rows)}::json) row (id uuid, instructor_id uuid, student_id uuid, type text,
      start_at timestamp, end_at timestamp, status text, actual_start_at timestamp, actual_end_at timestamp, cancellation json,
      exam_result json)
    join lesson_types type on type.tenant_id = ${school.tenantId} and type.code = row.type`.execute(db)
  await sql`update appointments set deleted_at = now() where tenant_id = ${school.tenantId}
    and uuid_hash(id) % 17 = 0`.execute(db)
}

function aLesson(start_at: string, random: RandomInteger) {
  const type = pick(TYPES, random) ?? ''
  const end_at = minutesLater(start_at, 45 * (1 + random(3)))
  const isPast = end_at <= `${TODAY} 11:00`
  const status = isPast
    ? drawn(
        [
          [6, 'completed'],
          [1, 'planned'],
          [1, 'no_show'],
          [2, 'cancelled'],
        ] as const,
        random,
      )
    : drawn(
        [
          [5, 'planned'],
          [1, 'cancelled'],
        ] as const,
        random,
      )
  const isMoved = status === 'completed' && random(3) === 0
  const shift = random(5) * 30 - 60
  const at = {
    at: '2026-01-01T00:00:00.000Z',
    note: null,
    reason: null,
    charged: false,
    fee_percent: 0,
    notice_minutes: 60,
  }
  const by = pick(['student', 'school'], random)
  return {
    type,
    start_at,
    end_at,
    status,
    actual_start_at: isMoved ? minutesLater(start_at, shift) : null,
    actual_end_at: isMoved ? minutesLater(end_at, shift + random(3) * 20) : null,
    cancellation: status === 'cancelled' && random(4) > 0 ? { ...at, by, is_late: random(2) === 0 } : null,
    exam_result:
      status === 'completed' && type.endsWith('EXAM') && random(5) > 0
        ? { note: null, passed: random(3) > 0 }
        : null,
  }
}
