import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { mayUserSign } from '../../src/db/accounts/users.ts'
import { UNASSIGNED } from '../../src/db/appointments/attendees.ts'
import { listRowIdsOf } from '../../src/db/students/rows-of-students.ts'
import {
  findSignedDocument,
  listCompletedLessons,
  listEndedEnrolments,
  listLessonSignatures,
  listRecordSignatures,
  listSignedEnrolments,
} from '../../src/db/students/signatures.ts'
import { randomIntegers } from '../concurrency/random-integers.ts'
import { WORD } from '../support/a-life.ts'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { anEnrolmentOffice } from '../support/enrolment-office.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'
import { aNumberedSchool } from '../support/numbered-school.ts'
import { pagesOfPdf } from '../support/pdf-text.ts'
import { aDrive, sign } from '../support/signing.ts'
import { at } from '../support/times.ts'
import { templateOf } from '../support/trainer.ts'
import { plantTwins } from '../support/twin.ts'

const service = useService()

afterEach(() => service().setClock(undefined))

const NAME = 'Brandt'

it('training records ignore people, lessons, types, vehicles and credits of twin schools', async () => {
  const office = await anEnrolmentOffice(service())
  const { school } = office
  const { client } = school
  const type = (code: string) => ({ lesson_type_id: school.lessonTypes[code] })
  const student = await office.lena('B197')
  const mia = await school.student({ first_name: 'Mia' })
  const [training] = (await office.enrolments(student)) as [Row]
  must(200, await office.change(training, { begins_on: '2030-03-01' }))
  const eva = await school.instructor({ last_name: NAME, license_classes: ['B'], number: '7' })
  const { id: car } = must(
    201,
    await client.post('/vehicles', { name: NAME, kind: 'car', gearbox: 'manual' }),
  )
  const lesson = (student_id: string, day: string, fields: object = {}) =>
    school.lesson({
      ...{ instructor_id: eva.id, student_id, status: 'completed', ...type('RURAL') },
      ...{ ...at('10:00', '11:30', day), ...fields },
    })
  await lesson(student.id, '2030-04-02', { vehicle_ids: [car] })
  await lesson(student.id, '2030-04-03', {
    ...{ ...type('THEORY_BASIC'), student_id: undefined, topic: 'Thema 1' },
    attendees: [{ student_id: student.id, attended: true }],
  })
  const { id: other } = await lesson(mia.id, '2030-04-04')
  const credit = { ...type('RURAL'), units: 1, date: '2030-01-31', source: NAME }
  must(200, await client.put(`/students/${student.id}/opening-balance`, [credit]))
  const period = '/records.csv?from=2030-04-01&to=2030-04-30&state=running'
  const read = async () => ({
    record: must(200, await client.get(`/enrolments/${training.id}/record`)),
    credits: must(200, await client.get(`/enrolments/${training.id}/credits`)),
    csv: (await client.get(period)).text,
    taught: (await client.get(`${period}&instructor_id=${eva.id}`)).text,
  })
  const before = await read()
  expect(before.record).toMatchObject({
    practice: [{ vehicle: NAME, gearbox: 'manual' }],
    theory: [{ topic: 'Thema 1' }],
    credits: [{ school: NAME }],
  })
  expect(before.csv.split('\r\n')).toHaveLength(5)
  await plantTwins(service(), school.tenantId, NAME, async (twin) => {
    // In the twins, the lesson of the other student overlaps, the car is automatic, and the instructor in training.
    const changes = [
      sql`update appointments set start_at = '2030-04-02 10:30', end_at = '2030-04-02 12:00',
        actual_start_at = '2030-04-02 10:30', actual_end_at = '2030-04-02 12:00'
        where tenant_id = ${twin} and id = ${other}`,
      sql`update appointments set practised = 'x', deleted_at = null where tenant_id = ${twin}`,
      sql`update vehicles set gearbox = 'automatic' where tenant_id = ${twin}`,
      sql`update instructors set is_trainee = true, number = null, license_classes = '{}' where tenant_id = ${twin}`,
      sql`update lesson_types set only_in_the_dark = true, requirement_key = null, code = code || 'x', category = 'internal'
        where tenant_id = ${twin}`,
      sql`update license_class_templates set code = code || 'x', training_years = 9 where tenant_id = ${twin}`,
      sql`update students set deleted_at = null, first_name = 'Zoe' where tenant_id = ${twin}`,
      sql`update students set opening_balance = '[]' where tenant_id = ${twin}`,
      sql`update enrolments set ends_on = null, outcome = null, deleted_at = null, is_current = false
        where tenant_id = ${twin}`,
    ]
    for (const change of changes) await change.execute(service().db)
  })
  expect(await read()).toEqual(before)
})

it('printed records and confirmations ignore students, lessons, instructors, classes and types of twin schools', async () => {
  const office = await anEnrolmentOffice(service())
  const { client } = office.school
  const lena = await office.school.student({
    ...{ last_name: NAME, birth_date: '2010-01-01', license_class_template_id: office.classes.B197 },
  })
  await office.drive(lena, '2030-04-01', { status: 'completed' })
  const [enrolment] = (await office.enrolments(lena)) as [Row]
  const bytesAt = async (path: string) => {
    const response = await fetch(`${service().url}/api/v1${path}`, { headers: client.headers })
    expect(response.status).toBe(200)
    return Buffer.from(await response.arrayBuffer())
  }
  const read = async () => ({
    record: (await bytesAt(`/enrolments/${enrolment.id}/record.pdf`)).toString('latin1'),
    period: pagesOfPdf(await bytesAt('/records.pdf?from=2030-01-01&to=2030-12-31&state=running')),
    list: must(200, await client.get('/records?from=2030-01-01&to=2030-12-31&state=running')),
    refused: await Promise.all(
      ['theory', 'practice', 'gearbox'].map(async (part) => {
        const { status, body } = await client.get(`/enrolments/${enrolment.id}/confirmation.pdf?part=${part}`)
        return { status, errors: body.errors }
      }),
    ),
  })
  const before = await read()
  expect(before.refused.map(({ status }) => status)).toEqual([409, 409, 409])
  await plantTwins(service(), office.school.tenantId, NAME)
  expect(await read()).toEqual(before)
})

it('the minutes of a month ignore instructors, lessons, types and the log of twin schools', async () => {
  service().setClock(new Date('2026-05-20T10:00:00Z'))
  const school = await aSchool(service())
  const { id } = await school.instructor({ last_name: NAME, max_daily_units: 2, max_daily_override: 4 })
  for (const [start, end] of [
    ['08:00', '09:30'],
    ['10:00', '11:30'],
  ]) {
    const { id: student_id } = await school.student({ last_name: NAME })
    const times = { start_at: `2026-05-11 ${start}`, end_at: `2026-05-11 ${end}` }
    await school.lesson({ instructor_id: id, student_id, status: 'completed', ...times })
  }
  const read = async () => ({
    months: must(200, await school.client.get('/minutes?month=2026-05')),
    rows: must(200, await school.client.get(`/minutes/rows?instructor_id=${id}&date=2026-05-11`)),
  })
  const before = await read()
  expect(before.months.flatMap(({ days }: Row) => days)).toMatchObject([
    { worked_minutes: 180, overrides: [{ rule: 'daily', actor: { name: 'Anna Office' } }] },
  ])
  expect(before.rows).toHaveLength(2)
  await plantTwins(service(), school.tenantId, NAME)
  expect(await read()).toEqual(before)
})

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
  await plantTwins(service(), school.tenantId, 'Vogt', async (twin) => {
    // The twin's students are neither deleted nor moved in, and its types are other kinds.
    await sql`update students set deleted_at = null, opening_balance = '[]', restriction = '{}' where tenant_id = ${twin}`.execute(
      db,
    )
    await sql`update lesson_types set category = 'practical_exam', requirement_key = 'OTHER' where tenant_id = ${twin}`.execute(
      db,
    )
    await sql`update license_class_templates set code = 'OTHER' || code where tenant_id = ${twin}`.execute(db)
  })
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
  const planted = await plantTwins(service(), tenantId, 'Vogt')
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

describe('signatures', () => {
  let school: School
  let student: Row
  let lesson: Row
  let enrolment: Row

  beforeEach(async () => {
    school = await aSchool(service())
    student = await school.student({ license_class_template_id: await templateOf(school, 'B') })
    lesson = await aDrive(school, { instructor_id: (await school.instructor()).id, student_id: student.id })
    enrolment = (must(200, await school.client.get(`/students/${student.id}/enrolments`)) as Row[])[0] as Row
  })

  it('the signatures of lessons and records are those of their own school', async () => {
    const path = `/enrolments/${enrolment.id}`
    const begun = { begins_on: '2026-05-01', practice_ended_on: '2026-05-05' }
    must(200, await school.client.patch(path, begun))
    must(201, await sign(school, lesson))
    const { digest } = must(200, await school.client.get(`${path}/record`))
    const given = { as: 'school', digest, name: 'Anna Nord', strokes: null }
    must(201, await school.client.post(`${path}/signatures`, given))
    const { db } = service()
    const { tenantId } = school
    const read = async () => ({
      ofLesson: await listLessonSignatures(db, tenantId, [lesson.id]),
      ofRecord: await listRecordSignatures(db, tenantId, enrolment.id),
      inRecord: must(200, await school.client.get(`${path}/record`)).signatures,
      lessons: await listCompletedLessons(db, tenantId, { ids: [student.id], from: '2026-01-01' }, {}),
      own: await listCompletedLessons(
        db,
        tenantId,
        { ids: [student.id], from: '2026-01-01' },
        { own: String(lesson.instructor_id), withPreferring: true },
      ),
      ended: await listEndedEnrolments(db, tenantId, [student.id]),
      document: await findSignedDocument(db, tenantId, { enrolment_id: enrolment.id, digest }),
      ids: (await listRowIdsOf(db, tenantId, 'signatures', student.id)).toSorted(),
    })
    const before = await read()
    expect(before).toMatchObject({
      ofLesson: [{ as: 'student' }],
      ofRecord: [{ as: 'school' }],
      inRecord: [{ state: 'valid' }],
    })
    expect(before.ids).toHaveLength(2)
    expect(before).toMatchObject({
      ...{ lessons: [{ id: lesson.id }], own: [{ id: lesson.id }] },
      ended: [{ id: enrolment.id, student_id: student.id }],
    })
    await plantTwins(service(), school.tenantId, WORD)
    await db
      .updateTable('signatures')
      .set({ digest, document: '{}' })
      .where('tenant_id', '<>', tenantId)
      .where('enrolment_id', '=', enrolment.id)
      .execute()
    expect(await read()).toEqual(before)
  })

  it('what another school has signed under the same ids is signed in no other', async () => {
    await plantTwins(service(), school.tenantId, WORD)
    const { db } = service()
    const { tenantId } = school
    const rows = await db
      .selectFrom('enrolments')
      .select(['tenant_id', 'id', 'student_id'])
      .where('id', '=', enrolment.id)
      .where('tenant_id', '<>', tenantId)
      .execute()
    for (const { tenant_id, id: enrolment_id, student_id } of rows) {
      const row = {
        tenant_id,
        student_id,
        as: 'school',
        name: 'Nord',
        digest: 'sha256:0',
        document: '{}',
      } as const
      const by = { actor_kind: 'user', actor_name: 'Nord', at: new Date() } as const
      const ids = { id: crypto.randomUUID(), enrolment_id, appointment_id: null }
      await db
        .insertInto('signatures')
        .values({ ...row, ...by, ...ids, strokes: null })
        .execute()
    }
    expect(rows).toHaveLength(2)
    expect(await listSignedEnrolments(db, tenantId, [enrolment.id])).toEqual([])
    expect(await listRecordSignatures(db, tenantId, enrolment.id)).toEqual([])
    must(204, await school.client.delete(`/appointments/${lesson.id}`))
    must(204, await school.client.delete(`/enrolments/${enrolment.id}`))
  })

  it('whether a user may sign is asked in the own school only', async () => {
    const { id } = school.user
    const { db } = service()
    await db.updateTable('users').set({ may_sign: true }).where('id', '=', id).execute()
    expect(await mayUserSign(db, school.tenantId, id)).toBe(true)
    expect(await mayUserSign(db, (await aSchool(service())).tenantId, id)).toBe(false)
  })
})
