import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { UNASSIGNED } from '../../src/db/appointments/attendees.ts'
import { randomIntegers } from '../concurrency/random-integers.ts'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { aSchool, type Row } from '../support/factory.ts'
import { aNumberedSchool } from '../support/numbered-school.ts'
import { templateOf } from '../support/trainer.ts'
import { plantTwin } from '../support/twin.ts'

const service = useService()
const PERIOD = 'from=2026-01-01&to=2026-12-31'
const NAMES = ['use', 'free', 'by_type', 'missed', 'to_test', 'passed', 'no_lesson', 'special_owed', 'ready']

it('numbers and their rows ignore everything of twin schools', async () => {
  const { school } = await aNumberedSchool(service(), randomIntegers(7))
  const { db } = service()
  // Tests that were not for one training count by their class.
  await sql`update appointments set license_class = (
      select min(template.license_class) from enrolments enrolment join license_class_templates template
        on template.tenant_id = ${school.tenantId} and template.id = enrolment.template_id
      where enrolment.tenant_id = ${school.tenantId} and enrolment.student_id = appointments.student_id)
    where tenant_id = ${school.tenantId} and exam_result is not null`.execute(db)
  const read = async () => {
    const numbers = must(200, await school.client.get(`/numbers?${PERIOD}`))
    const rows: Record<string, unknown> = {}
    for (const name of NAMES) {
      rows[name] = must(200, await school.client.get(`/numbers/${name}?${PERIOD}`))
      rows[`${name}.csv`] = (await school.client.get(`/numbers/${name}.csv?${PERIOD}`)).text
    }
    return { numbers, rows }
  }
  const before = await read()
  expect(before.numbers.by_type.length).toBeGreaterThan(0)
  expect(before.numbers.passed.length).toBeGreaterThan(0)
  for (const side of ['00000000', 'ffffffff'] as const) {
    const twin = await plantTwin(service(), school.tenantId, 'Vogt', side)
    // The twin's students are neither deleted nor moved in, and its types are other kinds.
    await sql`update students set deleted_at = null, opening_balance = '[]', restriction = '{}' where tenant_id = ${twin}`.execute(
      db,
    )
    await sql`update lesson_types set category = 'practical_exam', requirement_key = 'OTHER' where tenant_id = ${twin}`.execute(
      db,
    )
    await sql`update license_class_templates set code = 'OTHER' || code where tenant_id = ${twin}`.execute(db)
  }
  expect(await read()).toEqual(before)
}, 120_000)

it('the lists of students to call ignore lessons, types, trainings and templates of twin schools', async () => {
  service().setClock(new Date('2026-05-20T10:00:00Z'))
  const school = await aSchool(service())
  const { client, tenantId } = school
  const { id: instructor_id } = await school.instructor()
  const trained = async (code: string, begins_on: string): Promise<Row> => {
    const student = await school.student({ license_class_template_id: await templateOf(school, code) })
    const [enrolment] = must(200, await client.get(`/students/${student.id}/enrolments`))
    must(200, await client.patch(`/enrolments/${enrolment.id}`, { begins_on }))
    return student
  }
  const drive = (student: Row, day: string, fields: object) =>
    school.lesson({
      ...{ instructor_id, student_id: student.id, start_at: `${day} 08:00`, end_at: `${day} 08:45` },
      ...fields,
    })
  const idle = await trained('B', '2026-02-01')
  await drive(idle, '2026-04-28', { status: 'completed' })
  const owing = await trained('B', '2026-05-01')
  await drive(owing, '2026-05-29', { lesson_type_id: school.lessonTypes.PRACTICAL_EXAM })
  await drive(owing, '2026-05-18', { lesson_type_id: school.lessonTypes.RURAL, status: 'completed' })
  await drive(await trained('B', '2026-05-01'), '2026-06-03', { lesson_type_id: school.lessonTypes.PRACTICE })
  await trained('A2_STEP_A1_GE2Y', '2026-05-11')
  const read = async () => {
    const lists: Record<string, readonly Row[]> = {}
    for (const name of ['no_lesson', 'special_owed', 'ready'])
      lists[name] = must(200, await client.get(`/numbers/${name}`))
    return lists
  }
  const before = await read()
  expect(Object.values(before).map(({ length }) => length)).toEqual([1, 1, 1])
  const planted = [
    await plantTwin(service(), tenantId, 'Vogt'),
    await plantTwin(service(), tenantId, 'Vogt', 'ffffffff'),
  ]
  const { db } = service()
  /** Moves the lessons of a school to a day, one an hour. */
  const move = (tenant: string, status: string, day: string) =>
    sql`update appointments moved set status = ${status}, enrolment_id = ${UNASSIGNED}, license_class = null,
        start_at = ${day}::timestamp + place * interval '1 hour', end_at = ${day}::timestamp + place * interval '1 hour' + interval '45 minutes'
      from (select id, row_number() over (order by id) as place from appointments where tenant_id = ${tenant}) placed
      where moved.tenant_id = ${tenant} and moved.id = placed.id`.execute(db)
  // Twins in training as well, with the class and templates of the school and a lesson yesterday.
  for (const twin of planted) {
    await sql`update students set deleted_at = null where tenant_id = ${twin}`.execute(db)
    await move(twin, 'completed', '2026-05-19')
    await sql`update license_class_templates twin set license_class = own.license_class
      from license_class_templates own where twin.tenant_id = ${twin} and own.tenant_id = ${tenantId} and own.id = twin.id`.execute(
      db,
    )
    expect(await read()).toEqual(before)
    // Tests in place of lessons, and lessons in place of tests.
    await sql`update lesson_types set category = case when category like '%exam' then 'practice' when code = 'PRACTICE' then 'practical_exam' else category end,
        code = 'OTHER ' || code, requirement_key = 'OTHER'
      where tenant_id = ${twin}`.execute(db)
    await move(twin, 'planned', '2026-05-28')
    expect(await read()).toEqual(before)
  }
}, 120_000)
